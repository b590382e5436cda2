import type { ParsedUrlQuery } from "node:querystring";
import { type NoticeCode, noticeCodeSchema } from "../notice";
import { type Language, languageSchema } from "../texts/languages";

/** What the address of a frame in the shop's page holds. It stands in for cookies, which a frame has none of. */
export type EmbedAddress = {
  /** The language that the shop's page asks for. */
  language: Language | null;
  /** What became of the last step. It picks one of our own texts. */
  said: NoticeCode | null;
};

export function embedAddress(token: string, { language, said }: Partial<EmbedAddress> = {}): string {
  const query = new URLSearchParams();
  if (language) query.set("lang", language);
  if (said) query.set("said", said);
  return query.size === 0 ? `/embed/${token}` : `/embed/${token}?${query}`;
}

export const readEmbedAddress = ({ lang, said }: ParsedUrlQuery): EmbedAddress => ({
  language: languageSchema.safeParse(lang).data ?? null,
  said: noticeCodeSchema.safeParse(said).data ?? null,
});
