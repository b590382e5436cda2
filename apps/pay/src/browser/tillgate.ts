import { TEXTS } from "./tillgate-texts";

/**
 * `<tillgate-pay payment-url="…"><a href="…">Pay</a></tillgate-pay>`: shows a payment in the shop's own page, in a dialog that the
 * link opens, or in its place (`display="inline"`). The link works by itself where this script, a frame or a dialog does not.
 * docs/embedding.md says what a shop writes.
 */

const STYLE = `
:host{display:block}
dialog{position:fixed;inset:0;box-sizing:border-box;width:26rem;max-width:100%;max-height:100%;margin:auto;padding:0;overflow:auto;border:0;border-radius:1rem;background:#f3f4f7;color:#141a24;font:1rem/1.5 system-ui,sans-serif;box-shadow:0 1rem 3rem rgb(0 0 0/35%)}
dialog::backdrop{background:rgb(0 0 0/55%)}
iframe{display:block;width:100%;height:34rem;border:0;color-scheme:normal}
.head{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.25rem .25rem .25rem 1rem}
.head a{color:inherit;font-size:.875rem}
button{min-width:2.75rem;min-height:2.75rem;border:0;border-radius:.75rem;background:none;color:inherit;font-size:1.5rem;line-height:1;cursor:pointer}
:focus-visible{outline:3px solid #2346c7;outline-offset:-3px}
@media(max-width:30rem){dialog{width:100%;margin-bottom:0;border-radius:1rem 1rem 0 0}}
@media(prefers-color-scheme:dark){dialog{background:#10151d;color:#e8ecf3}:focus-visible{outline-color:#9db4ff}}`;

/** Higher than any frame is drawn; what a message says is not believed beyond it. */
const MAX_HEIGHT = 2000;

class TillgatePay extends HTMLElement {
  /** The state that was told last; a hint, never a proof. */
  state: string | null = null;
  private frame: HTMLIFrameElement | undefined;
  private dialog: HTMLDialogElement | undefined;

  connectedCallback(): void {
    addEventListener("message", this.hear);
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open" });
    dress(root);
    const [titled, close, openPage] = this.words();
    const slot = document.createElement("slot");
    const way = () => {
      const link = document.createElement("a");
      link.href = this.getAttribute("payment-url") ?? "";
      link.textContent = openPage;
      return link;
    };
    slot.append(way());
    slot.addEventListener("click", (event) => {
      const plain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      const { target } = event;
      if (plain && target instanceof Element && target.closest("a,button") && this.open())
        event.preventDefault();
    });
    root.append(slot);
    if (this.getAttribute("display") === "inline") this.showIn(root, slot);
    else this.addDialog(root, way(), close, titled);
  }

  private addDialog(root: ShadowRoot, link: HTMLElement, close: string, titled: string): void {
    const dialog = document.createElement("dialog");
    // Without dialogs the link remains what it is.
    if (typeof dialog.showModal !== "function") return;
    dialog.setAttribute("aria-label", titled);
    const head = document.createElement("div");
    head.className = "head";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "\u00d7";
    button.setAttribute("aria-label", close);
    button.addEventListener("click", () => dialog.close());
    head.append(link, button);
    dialog.append(head);
    dialog.addEventListener("close", () => this.endFrame());
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
    root.append(dialog);
    this.dialog = dialog;
    if (this.hasAttribute("open")) this.open();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.hear);
    this.close();
  }

  /** Opens the dialog. @returns false where there is none, so that a link goes on as links do. */
  open(): boolean {
    const { dialog } = this;
    if (!dialog || !this.address()) return false;
    if (!dialog.open) {
      this.showIn(dialog);
      dialog.showModal();
    }
    return true;
  }

  close(): void {
    this.dialog?.close();
  }

  /** The frame's address: the payment page's, as it is shown in frames. */
  private address(): URL | undefined {
    try {
      const url = new URL(this.getAttribute("payment-url") ?? "");
      if (!/^https?:$/.test(url.protocol) || !url.pathname.startsWith("/pay/")) return undefined;
      url.pathname = url.pathname.replace("/pay/", "/embed/");
      if (this.lang) url.searchParams.set("lang", this.lang);
      return url;
    } catch {
      return undefined;
    }
  }

  private words(): readonly [string, string, string] {
    const asked = this.lang || document.documentElement.lang || navigator.language;
    return TEXTS[asked.slice(0, 2).toLowerCase()] ?? TEXTS.en;
  }

  private showIn(place: Node, before: Node | null = null): void {
    const address = this.address();
    if (!address) return;
    this.endFrame();
    const frame = document.createElement("iframe");
    [frame.title] = this.words();
    frame.referrerPolicy = "origin";
    frame.src = address.href;
    place.insertBefore(frame, before);
    this.frame = frame;
  }

  private endFrame(): void {
    this.frame?.remove();
    this.frame = undefined;
  }

  private readonly hear = ({ source, origin, data }: MessageEvent): void => {
    const { frame } = this;
    if (!frame || source !== frame.contentWindow || origin !== this.address()?.origin) return;
    if (data?.type !== "tillgate") return;
    if (data.close) {
      this.close();
      return;
    }
    if (data.height > 0) frame.style.height = `${Math.min(data.height, MAX_HEIGHT)}px`;
    if (data.state === this.state) return;
    this.state = String(data.state);
    this.dispatchEvent(new CustomEvent("tillgate-state", { bubbles: true, detail: { state: this.state } }));
  };
}

/** A sheet that the shop's policy for inline styles does not concern; an element where a browser has none. */
function dress(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
  } catch {
    const style = document.createElement("style");
    style.textContent = STYLE;
    root.append(style);
  }
}

// A shop may load the script twice.
if (!customElements.get("tillgate-pay")) customElements.define("tillgate-pay", TillgatePay);
