/** Message from the frame to the embedding page. The state is unverified: the shop must ask its own connector. */
export type ShopMessage = {
  state?: string | undefined;
  height?: number;
  /** The frame's language, for the dialog's texts. */
  lang?: string;
  close?: boolean;
};

/** Posts to the registered origins only. If the referrer identifies the embedding origin, posts only to that one. */
export function tellShop(main: HTMLElement, message: ShopMessage): void {
  if (parent === window) return;
  const registered = (main.dataset.tells ?? "").split(" ").filter(Boolean);
  const around = registered.filter((origin) => document.referrer.startsWith(`${origin}/`));
  for (const origin of around.length > 0 ? around : registered)
    parent.postMessage({ type: "tillgate", ...message }, origin);
}
