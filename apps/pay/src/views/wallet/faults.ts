import { useWords } from "../use-words";
import type { WalletCommon } from "./wallet-screen";

/** What a field has to say of itself after a form was not taken. */
export type Fault = {
  wrong: boolean;
  /** The first of them: it takes the focus. */
  focus: boolean;
  /** How to fill it in; null where the notice says what is wrong. */
  said: string | null;
};

/** Fields that are filled in like another one. */
const LIKE: Readonly<Record<string, string>> = { from: "currency", to: "currency", new_pin: "pin" };

/** The fault of each field of a form, by its name. */
export function useFaults({
  notice,
  wrong,
  typed,
}: Pick<WalletCommon, "notice" | "wrong" | "typed">): (name: string) => Fault {
  const { texts, ambiguity } = useWords();
  const hints = new Map<string, string>(Object.entries(texts.account.fault));
  const ambiguous = ambiguity(typed.amount ?? "", typed.currency || typed.from || "");
  if (ambiguous !== null) hints.set("amount", ambiguous);
  const isGeneral = notice?.code === "invalid_field" || notice?.code === "invalid_pin";
  return (name) => ({
    wrong: wrong.includes(name),
    focus: wrong[0] === name,
    said: isGeneral && wrong.includes(name) ? (hints.get(LIKE[name] ?? name) ?? null) : null,
  });
}
