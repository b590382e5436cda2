import { amountSize } from "../till-size";

/** No amount has more digits. */
const MAX_DIGITS = 12;

/**
 * Types an amount by keys, as at every till: each digit moves the others to the left. The digits of the keyboard do the same.
 * @returns what ends it.
 */
export function startKeypad(view: HTMLElement): () => void {
  const box = view.querySelector<HTMLElement>("[data-amount-field]");
  const field = box?.querySelector<HTMLInputElement>("input");
  const keys = view.querySelector<HTMLElement>("[data-keys]");
  if (!box || !field || !keys) return () => {};
  const digits = Number(box.dataset.digits);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const separator = (type: "group" | "decimal") =>
    number.formatToParts(1_000_000.5).find((part) => part.type === type)?.value ?? "";
  const [group, decimal] = [separator("group"), separator("decimal")];
  // "1,000" without decimals could mean two amounts: a space cannot.
  const groupedIn = (whole: string) => {
    const grouped = number.format(BigInt(whole));
    return digits === 0 ? grouped.replaceAll(group, "\u202f") : grouped;
  };
  let typed = field.value.replace(/\D/g, "").replace(/^0+/, "");
  // The keys are on the page: a phone need not cover it with its own.
  field.inputMode = "none";
  const draw = () => {
    const padded = typed.padStart(digits + 1, "0");
    const whole = groupedIn(padded.slice(0, padded.length - digits));
    field.value = typed === "" ? "" : digits === 0 ? whole : `${whole}${decimal}${padded.slice(-digits)}`;
    box.dataset.size = amountSize(field.value);
  };
  const press = (key: string) => {
    typed = key === "⌫" ? typed.slice(0, -1) : `${typed}${key}`.replace(/^0+/, "").slice(0, MAX_DIGITS);
    draw();
  };
  const click = (event: Event) => {
    const key = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    if (key !== undefined) press(key);
  };
  const type = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key === "Backspace" ? "⌫" : event.key;
    if (/^\d$/.test(key) || key === "⌫") press(key);
    else if (key.length > 1) return;
    event.preventDefault();
  };
  keys.addEventListener("click", click);
  field.addEventListener("keydown", type);
  draw();
  field.focus();
  return () => {
    keys.removeEventListener("click", click);
    field.removeEventListener("keydown", type);
  };
}
