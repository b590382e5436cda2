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

/** A page request and the functions that a page uses. */
export type PageRequest = {
  caller: Caller;
  /** Sends a GET request to the API for the caller. @throws ApiError, ApiUnreachable. */
  read<T>(path: string, schema: ResponseSchema<T>, query?: Query): Promise<T>;
  /** Sends a POST request to the API for the caller. @throws ApiError, ApiUnreachable. */
  change<T>(path: string, schema: ResponseSchema<T>, fields?: object): Promise<T>;
  /** The page's language, in which amounts are parsed. */
  language: Language;
  /** Texts and formats of that language. */
  t: Translate;
  f: Formats;
  /** Returns a path parameter, or an empty text. */
  part(name: string): string;
  /** Returns a query parameter, or undefined. */
  query(name: string): string | undefined;
  /** Returns all values of one name, as sent by checkboxes. */
  all(name: string): string[];
  /** Returns all query parameters that are given once. */
  queries(): Record<string, string>;
  /** Returns the API's path for the merchant and mode in the URL, followed by the given parts. */
  apiPath(...parts: string[]): string;
  /** Returns the console's path for the merchant and mode in the URL, followed by the given parts. */
  consolePath(...parts: string[]): string;
  /** Decrypts the hidden field of a secret. */
  unseal(text: string | null): Secret | null;
};

/** Result of a successful action. */
export type Done = {
  /** The console path to redirect to. */
  to: string;
  flash?: Flash;
  /** A new session token, or null if the session ended. */
  session?: string | null;
  /** The chosen language. */
  language?: Language;
  /** The chosen time zone; null for the browser's. */
  timeZone?: string | null;
};

/** Redirects to a page and shows a success notice there. */
export const done = (to: string, text: TextKey, values?: TextValues): Done => ({
  to,
  flash: { notice: { tone: "good", text, ...(values && { values }) } },
});

export type Action = (request: PageRequest, form: URLSearchParams) => Promise<Done>;

export const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Reads the mode in the URL; null if absent or invalid. */
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

/** Returns the request field with the token from the e-mailed link; the token is empty if the URL has none. */
export const linkToken = (query: PageRequest["query"]): { token: string } => ({
  token: query("token") ?? "",
});
