import { type Mode, modeSchema } from "@tillgate/contract";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { unseal } from "#http/seal.ts";
import { cookieNames, type Visitor } from "#http/visitor.ts";
import type { Caller } from "#internal-api.ts";
import { pathOf } from "#paths.ts";
import { type Formats, formatsOf } from "#texts/formats.ts";
import { type Language, languageSchema, preferredLanguage } from "#texts/languages.ts";
import { type Translate, translator } from "#texts/texts.ts";
import { type Flash, type Secret, secretSchema } from "./page";

/** A page that is asked for, and what its functions may use. */
export type PageRequest = {
  caller: Caller;
  /** The language of the page: amounts are typed in it. */
  language: Language;
  /** Texts and formats of that language, for what a form asks before it acts. */
  t: Translate;
  f: Formats;
  /** A part of the address, or the empty text. */
  part(name: string): string;
  /** A value of the query, or undefined. */
  query(name: string): string | undefined;
  /** All values of one name, which may be given several times: the boxes that are ticked. */
  all(name: string): string[];
  /** All values of the query that are given once. */
  queries(): Record<string, string>;
  /** The api's path of the merchant and mode in the address, with parts behind it. */
  place(...parts: string[]): string;
  /** The console's path of the merchant and mode in the address, with parts behind it. */
  here(...parts: string[]): string;
  /** What a form brings back in its hidden field of a sealed secret. */
  unsealed(text: string | null): Secret | null;
};

/** What an action does after it succeeded. */
export type Done = {
  /** Where the browser goes on: a path of the console. */
  to: string;
  flash?: Flash;
  /** Another session of the browser: its token, or null when it ended. */
  session?: string | null;
  /** The language that was chosen. */
  language?: Language;
  /** The time zone that was chosen; null: the browser's. */
  timeZone?: string | null;
};

export type Action = (request: PageRequest, form: URLSearchParams) => Promise<Done>;

export const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The mode of the address; null for an address with none, or with another word. */
export const modeOf = (params: GetServerSidePropsContext["params"]): Mode | null =>
  modeSchema.safeParse(params?.mode).data ?? null;

/** The language that was chosen, or else the browser's. */
export const languageOf = ({ cookies, headers }: GetServerSidePropsContext["req"]): Language =>
  languageSchema.safeParse(cookies[cookieNames(config().secure).language]).data ??
  preferredLanguage(headers["accept-language"]);

/** What the functions of a page get to know of a request. */
export function requestOf({ req, params, query }: GetServerSidePropsContext, visitor: Visitor): PageRequest {
  const { caller } = visitor;
  const language = languageOf(req);
  const part = (name: string) => single(params?.[name]) ?? "";
  const given = Object.entries(query).filter(([name]) => params?.[name] === undefined);
  const queries = Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return {
    caller,
    language,
    t: translator(language),
    get f() {
      return formatsOf(language, caller.timeZone);
    },
    part,
    query: (name) => queries[name],
    all: (name) => [query[name] ?? []].flat(),
    queries: () => queries,
    place: (...parts) => pathOf("merchants", part("merchant"), part("mode"), ...parts),
    here: (...parts) => pathOf("m", part("merchant"), part("mode"), ...parts),
    unsealed: (text) => secretSchema.safeParse(text === null ? null : unseal(text, visitor.id)).data ?? null,
  };
}

/** The token of the mailed link that leads to the page, as the console edge asks for it. */
export const linkToken = (query: PageRequest["query"]): { token: string } => ({
  token: query("token") ?? "",
});
