import { type Mode, modeSchema } from "@tillgate/contract";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { unseal } from "#http/seal.ts";
import { readLanguage, type Visitor } from "#http/visitor.ts";
import { type Caller, change, type Query, type ResponseSchema, read } from "#internal-api.ts";
import { joinPath } from "#paths.ts";
import { createFormats, type Formats } from "#texts/formats.ts";
import type { Language } from "#texts/languages.ts";
import { type TextKey, type TextValues, type Translate, translator } from "#texts/texts.ts";
import { type Flash, type Secret, secretSchema } from "./page";

export type PageRequest = {
  caller: Caller;
  /** For the caller. @throws ApiError, ApiUnreachable */
  read<T>(path: string, schema: ResponseSchema<T>, query?: Query): Promise<T>;
  /** For the caller. @throws ApiError, ApiUnreachable */
  change<T>(path: string, schema: ResponseSchema<T>, fields?: object): Promise<T>;
  /** Amounts are parsed in this language. */
  language: Language;
  t: Translate;
  f: Formats;
  /** A path parameter; empty if missing. */
  part(name: string): string;
  /** Undefined if the query parameter is missing or repeated. */
  query(name: string): string | undefined;
  /** All values of one name, as sent by checkboxes. */
  all(name: string): string[];
  /** All query parameters that are given once. */
  queries(): Record<string, string>;
  /** The API's path for the merchant and mode in the URL. */
  apiPath(...parts: string[]): string;
  /** The console's path for the merchant and mode in the URL. */
  consolePath(...parts: string[]): string;
  unseal(text: string | null): Secret | null;
};

export type Done = {
  to: string;
  flash?: Flash;
  /** Null ends the session. */
  session?: string | null;
  language?: Language;
  /** Null: the browser's time zone. */
  timeZone?: string | null;
};

export const done = (to: string, text: TextKey, values?: TextValues): Done => ({
  to,
  flash: { notice: { tone: "good", text, ...(values && { values }) } },
});

export type Action = (request: PageRequest, form: URLSearchParams) => Promise<Done>;

export const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Null if absent or invalid. */
export const readMode = (params: GetServerSidePropsContext["params"]): Mode | null =>
  modeSchema.safeParse(params?.mode).data ?? null;

export function toPageRequest(
  { req, params, query }: GetServerSidePropsContext,
  visitor: Visitor,
): PageRequest {
  const { caller } = visitor;
  const language = readLanguage(req, config());
  const part = (name: string) => single(params?.[name]) ?? "";
  const parameters = Object.entries(query).filter(([name]) => params?.[name] === undefined);
  const queries = Object.fromEntries(
    parameters.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return {
    caller,
    read: (path, schema, parameters) => read(caller, path, schema, parameters),
    change: (path, schema, fields) => change(caller, path, schema, fields),
    language,
    t: translator(language),
    get f() {
      return createFormats(language, caller.timeZone);
    },
    part,
    query: (name) => queries[name],
    all: (name) => [query[name] ?? []].flat(),
    queries: () => queries,
    apiPath: (...parts) => joinPath("merchants", part("merchant"), part("mode"), ...parts),
    consolePath: (...parts) => joinPath("m", part("merchant"), part("mode"), ...parts),
    unseal: (text) => secretSchema.safeParse(text === null ? null : unseal(text, visitor.id)).data ?? null,
  };
}

/** The token of an e-mailed link; empty if the URL has none. */
export const linkToken = (query: PageRequest["query"]): { token: string } => ({
  token: query("token") ?? "",
});
