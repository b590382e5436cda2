import { LIKELY_CAUSES } from "@tillgate/contract";
import { isTextKey, type Translate } from "./texts";

const STATUS = "{status}";
const { web_page: WEB_PAGE, ...FIRST } = LIKELY_CAUSES;

/** Translates the API's English sentence about a likely cause. An unknown sentence is returned unchanged. */
export function translateCause(t: Translate, sentence: string): string {
  const [first, page] = sentence.endsWith(` ${WEB_PAGE}`)
    ? [sentence.slice(0, -WEB_PAGE.length - 1), ` ${t("cause.web_page")}`]
    : [sentence, ""];
  for (const [name, text] of Object.entries(FIRST)) {
    const status = statusIn(first, text);
    const key = `cause.${name}`;
    if (status !== null && isTextKey(key)) return t(key, { status }) + page;
  }
  return sentence;
}

/** Returns the status in a sentence that matches `text`; empty if `text` has no status, null if the sentence does not match. */
function statusIn(sentence: string, text: string): string | null {
  const [before = "", after = ""] = text.split(STATUS);
  if (sentence === text) return "";
  if (!text.includes(STATUS) || !sentence.startsWith(before) || !sentence.endsWith(after)) return null;
  return sentence.slice(before.length, sentence.length - after.length);
}
