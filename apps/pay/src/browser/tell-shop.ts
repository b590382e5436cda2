/** What a frame tells the shop's page around it. The state is a hint: the shop asks its own connector. */
export type ShopMessage = {
  state?: string | undefined;
  height?: number;
  /** The frame's language, so that the words around it are in the same one. */
  lang?: string;
  close?: boolean;
};

/**
 * Sends it to the registered pages only: a browser delivers a message for another origin to nobody. Where it is known which of
 * them is around the frame, that one alone is named.
 */
export function tellShop(main: HTMLElement, message: ShopMessage): void {
  if (parent === window) return;
  const registered = (main.dataset.tells ?? "").split(" ").filter(Boolean);
  const around = registered.filter((origin) => document.referrer.startsWith(`${origin}/`));
  for (const origin of around.length > 0 ? around : registered)
    parent.postMessage({ type: "tillgate", ...message }, origin);
}
