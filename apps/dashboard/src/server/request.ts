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
  /** Sends a GET request to the API for the caller. @throws ApiError, ApiUnreachable */
  read<T>(path: string, schema: ResponseSchema<T>, query?: Query): Promise<T>;
  /** Sends a POST request to the API for the caller. @throws ApiError, ApiUnreachable */
  change<T>(path: string, schema: ResponseSchema<T>, fields?: object): Promise<T>;
  /** The page's language, in which amounts are parsed. */
  language: Language;
  t: Translate;
  f: Formats;
  /** Returns a path parameter; empty if the parameter is missing. */
  part(name: string): string;
  /** Returns a query parameter; undefined if the parameter is missing or repeated. */
  query(name: string): string | undefined;
  /** Returns all values of one name, as sent by checkboxes. */
  all(name: string): string[];
  /** Returns all query parameters that are given once. */
  queries(): Record<string, string>;
  /** Returns the API's path for the merchant and mode in the URL, followed by the given parts. */
  apiPath(...parts: string[]): string;
  /** Returns the console's path for the merchant and mode in the URL, followed by the given parts. */
  consolePath(...parts: string[]): string;
  /** Decrypts the hidden field of a secret; null if the field is missing or invalid. */
  unseal(text: string | null): Secret | null;
};

export type Done = {
  to: string;
  flash?: Flash;
  /** New session token; null ends the session. */
  session?: string | null;
  language?: Language;
  /** Chosen time zone; null for the browser's. */
  timeZone?: string | null;
};

/** Creates an action's result, which redirects to a page and shows a success notice on that page. */
export const done = (to: string, text: TextKey, values?: TextValues): Done => ({
  to,
  flash: { notice: { tone: "good", text, ...(values && { values }) } },
});

export type Action = (request: PageRequest, form: URLSearchParams) => Promise<Done>;

export const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Reads the mode in the URL; null if the mode is absent or invalid. */
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

/** Returns the token of the e-mailed link as a request field; empty if the URL has no token. */
export const linkToken = (query: PageRequest["query"]): { token: string } => ({
  token: query("token") ?? "",
});
