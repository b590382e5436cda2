/** Message from the frame to the embedding page. The state is unverified, so the shop must ask its own connector. */
export type ShopMessage = {
  state?: string | undefined;
  height?: number;
  /** The frame's language, for the dialog's texts. */
  lang?: string;
  close?: boolean;
};

/** Posts a message to the embedding origin if the referrer identifies it, otherwise to all registered origins. */
export function postToShop(main: HTMLElement, message: ShopMessage): void {
  if (parent === window) return;
  const registered = (main.dataset.frameOrigins ?? "").split(" ").filter(Boolean);
  const embedding = registered.filter((origin) => document.referrer.startsWith(`${origin}/`));
  for (const origin of embedding.length > 0 ? embedding : registered)
    parent.postMessage({ type: "tillgate", ...message }, origin);
}
