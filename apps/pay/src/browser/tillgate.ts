import type { ShopMessage } from "./shop-message";
import { pickTexts } from "./tillgate-texts";

/**
 * `<tillgate-pay payment-url="…"><a href="…">Pay</a></tillgate-pay>`: shows a payment in a dialog opened by the link, or inline
 * (`display="inline"`). If scripts, frames or dialogs are unavailable, the link works on its own. See docs/embedding.md.
 */

const STYLE = `
:host{display:block}
[hidden]{display:none!important}
dialog{position:fixed;inset:0;box-sizing:border-box;width:26rem;max-width:100%;max-height:100%;margin:auto;padding:0;overflow:auto;overscroll-behavior:contain;border:0;border-radius:1rem;background:#f3f4f7;color:#141a24;font:1rem/1.5 system-ui,sans-serif;box-shadow:0 1rem 3rem rgb(0 0 0/35%)}
dialog::backdrop{background:rgb(0 0 0/55%)}
iframe{display:block;width:100%;height:34rem;border:0;color-scheme:normal}
iframe.silent{visibility:hidden}
.head{position:sticky;top:0;z-index:1;display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.25rem;padding-inline-start:1rem;background:inherit}
.head a{color:inherit;font-size:.875rem}
.head button{min-width:2.75rem;min-height:2.75rem;margin-inline-start:auto;border:0;border-radius:.75rem;background:none;color:inherit;font-size:1.5rem;line-height:1;cursor:pointer}
.blocked,.foot{margin:0;padding:.5rem 1rem 1rem}
.way{display:block;box-sizing:border-box;width:100%;min-height:2.75rem;margin-top:.5rem;padding:.625rem 1rem;border:0;border-radius:.75rem;background:#2346c7;color:#fff;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid #2346c7;outline-offset:-3px}
.way:focus-visible{outline-offset:2px}
@media(max-width:30rem){dialog{width:100%;margin-bottom:0;border-radius:1rem 1rem 0 0}}
@media(prefers-color-scheme:dark){dialog{background:#10151d;color:#e8ecf3}.way{background:#9db4ff;color:#10151d}:focus-visible{outline-color:#9db4ff}}`;

/** Upper limit for a frame height reported by a message; no view is taller. */
const MAX_HEIGHT = 2000;
/** A touch screen the size of a phone. */
const PHONE_QUERY = "(pointer:coarse) and (max-width:30rem)";
/** A frame that has not reported after this time counts as blocked; browsers have no event for that. */
const REPORT_TIMEOUT_MS = 3000;

class TillgatePay extends HTMLElement {
  static readonly observedAttributes = ["payment-url", "display", "lang", "open", "return-url"];
  /** The last reported state. Unverified. */
  state: string | null = null;
  private frame: HTMLIFrameElement | undefined;
  private dialog: HTMLDialogElement | undefined;
  private reportTimer: ReturnType<typeof setTimeout> | undefined;
  private reportedLanguage = "";
  private readonly slotted = document.createElement("slot");
  private readonly fallbackLink = create("a");
  private readonly headLink = create("a");
  private readonly closeButton = create("button");
  private readonly blocked = create("p", "blocked");
  private readonly blockedText = create("span");
  private readonly blockedLink = create("a", "way");
  private readonly foot = create("p", "foot");

  constructor() {
    super();
    applyStyle(this.attachShadow({ mode: "open" }));
    this.slotted.append(this.fallbackLink);
    this.slotted.addEventListener("click", (event) => {
      const isPlainClick =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      const { target } = event;
      if (!isPlainClick || !(target instanceof Element)) return;
      // On a phone, follow the link: a dialog would fill the screen, and a phone cannot scan its own screen.
      if (target.closest("a") && matchMedia(PHONE_QUERY).matches) return;
      if (target.closest("a,button") && this.open()) event.preventDefault();
    });
    this.closeButton.textContent = "\u00d7";
    this.blocked.setAttribute("role", "status");
    this.blocked.append(this.blockedText, this.blockedLink);
    this.closeButton.type = "button";
    this.closeButton.addEventListener("click", () => this.close());
  }

  connectedCallback(): void {
    addEventListener("message", this.onMessage);
    this.build();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.onMessage);
    this.removeFrame();
    lockScroll(this, false);
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (name === "open") {
      if (now === null) this.close();
      else this.open();
    } else if (name === "return-url") this.showEnd();
    else {
      if (name === "payment-url") this.state = null;
      this.build();
    }
  }

  /** Opens the dialog. @returns false if there is no dialog or no valid payment URL; the link then works as usual */
  open(): boolean {
    const { dialog } = this;
    if (!dialog || !this.address()) return false;
    if (!dialog.open) {
      this.showFrame(dialog, this.foot);
      dialog.showModal();
      lockScroll(this, true);
      this.setAttribute("open", "");
    }
    return true;
  }

  close(): void {
    this.dialog?.close();
    lockScroll(this, false);
    if (this.dialog) this.removeFrame();
    this.removeAttribute("open");
  }

  private build(): void {
    const root = this.shadowRoot;
    if (!root) return;
    this.removeFrame();
    this.dialog?.remove();
    this.dialog = undefined;
    lockScroll(this, false);
    this.reportedLanguage = "";
    for (const link of [this.fallbackLink, this.headLink, this.blockedLink])
      link.href = this.getAttribute("payment-url") ?? "";
    root.append(this.slotted);
    if (this.getAttribute("display") === "inline") {
      root.append(this.foot);
      this.showFrame(root, this.slotted);
    } else this.addDialog(root);
    this.showEnd();
  }

  private addDialog(root: ShadowRoot): void {
    const dialog = document.createElement("dialog");
    // Without dialog support the link remains a link.
    if (typeof dialog.showModal !== "function") return;
    const head = create("div", "head");
    head.append(this.headLink, this.closeButton);
    dialog.append(head, this.blocked, this.foot);
    dialog.addEventListener("close", () => this.dialog === dialog && this.close());
    dialog.addEventListener("click", ({ target }) => target === dialog && this.close());
    root.append(dialog);
    this.dialog = dialog;
    if (this.hasAttribute("open") && !this.open()) this.removeAttribute("open");
  }

  /** Returns the URL of the frame; undefined if the payment URL is invalid. */
  private address(): URL | undefined {
    const url = parseWebAddress(this.getAttribute("payment-url"));
    if (!url?.pathname.startsWith("/pay/")) return undefined;
    url.pathname = url.pathname.replace("/pay/", "/embed/");
    if (this.lang) url.searchParams.set("lang", this.lang);
    return url;
  }

  /** Applies the language that the frame has reported, otherwise the element's, the page's or the browser's. */
  private applyLanguage(): void {
    const { lang } = document.documentElement;
    const { language, texts } = pickTexts([this.reportedLanguage, this.lang, lang, ...navigator.languages]);
    for (const link of [this.fallbackLink, this.headLink, this.blockedLink])
      link.textContent = texts.openPage;
    for (const back of this.foot.children) back.textContent = texts.back;
    this.blockedText.textContent = texts.blocked;
    this.closeButton.setAttribute("aria-label", texts.close);
    this.dialog?.setAttribute("aria-label", texts.title);
    if (this.frame) this.frame.title = texts.title;
    for (const part of [this.dialog, this.fallbackLink, this.foot]) {
      if (!part) continue;
      part.lang = language;
      part.dir = language === "ar" ? "rtl" : "ltr";
    }
  }

  private showFrame(parent: Node, before: Node): void {
    const address = this.address();
    if (!address) return;
    this.removeFrame();
    const frame = document.createElement("iframe");
    frame.className = "silent";
    frame.referrerPolicy = "origin";
    frame.src = address.href;
    parent.insertBefore(frame, before);
    this.frame = frame;
    this.applyLanguage();
    this.showBlocked(false);
    this.reportTimer = setTimeout(() => this.showBlocked(true), REPORT_TIMEOUT_MS);
  }

  /** Shows or hides a link to the page instead of an unresponsive frame. A frame that reports later is shown again. */
  private showBlocked(isBlocked: boolean): void {
    clearTimeout(this.reportTimer);
    this.blocked.hidden = !isBlocked;
    this.headLink.hidden = isBlocked;
    if (this.frame) this.frame.hidden = isBlocked;
  }

  private showEnd(): void {
    const ended = this.state !== null && this.state !== "PENDING";
    const address = parseWebAddress(this.getAttribute("return-url"));
    const back = create(address ? "a" : "button", "way");
    if (back instanceof HTMLAnchorElement) back.href = address?.href ?? "";
    else back.addEventListener("click", () => this.close());
    this.foot.replaceChildren(back);
    this.foot.hidden = !ended || !(address || this.dialog);
    this.slotted.hidden = ended && !this.dialog;
    this.applyLanguage();
  }

  private removeFrame(): void {
    clearTimeout(this.reportTimer);
    this.frame?.remove();
    this.frame = undefined;
  }

  private readonly onMessage = ({
    source,
    origin,
    data,
  }: MessageEvent<ShopMessage & { type?: string }>): void => {
    const { frame } = this;
    if (!frame || source !== frame.contentWindow || origin !== this.address()?.origin) return;
    if (data?.type !== "tillgate") return;
    if (data.close) {
      this.close();
      return;
    }
    frame.classList.remove("silent");
    this.showBlocked(false);
    this.reportedLanguage = String(data.lang ?? "");
    if (Number(data.height) > 0) frame.style.height = `${Math.min(Number(data.height), MAX_HEIGHT)}px`;
    const state = String(data.state);
    if (state === this.state) {
      this.applyLanguage();
      return;
    }
    this.state = state;
    this.showEnd();
    this.dispatchEvent(new CustomEvent("tillgate-state", { bubbles: true, detail: { state } }));
  };
}

function create<K extends keyof HTMLElementTagNameMap>(name: K, className = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

function parseWebAddress(text: string | null): URL | undefined {
  if (!text) return undefined;
  try {
    const url = new URL(text, document.baseURI);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

const scrollLocks = new Set<TillgatePay>();
let overflowBefore = "";

function lockScroll(owner: TillgatePay, locked: boolean): void {
  const { style } = document.documentElement;
  if (locked && scrollLocks.size === 0) {
    overflowBefore = style.overflow;
    style.overflow = "hidden";
  }
  if (locked) scrollLocks.add(owner);
  else if (scrollLocks.delete(owner) && scrollLocks.size === 0) style.overflow = overflowBefore;
}

/** Applies the style as a constructed stylesheet, which is exempt from the shop's inline style policy, otherwise as a style element. */
function applyStyle(root: ShadowRoot): void {
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
