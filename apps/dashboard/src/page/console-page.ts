import { type ConsoleRole, consoleMeAnswerSchema, consoleSessionTokenAnswerSchema } from "@tillgate/contract";
import { setAnswerHeaders } from "@tillgate/service/web/answer-headers";
import { addCookies, setCookie } from "@tillgate/service/web/cookies";
import { readForm } from "@tillgate/service/web/form";
import { isOwnOrigin } from "@tillgate/service/web/origin";
import type { GetServerSideProps, GetServerSidePropsContext } from "next";
import type { z } from "zod";
import { config } from "../config";
import { ApiUnreachable, change, EdgeRefusal, read } from "../edge/console-edge";
import { cookieNames } from "../http/cookies";
import { formTokenOf, isFormToken, seal, unseal } from "../http/seal";
import { asksForData, identify, type Visitor } from "../http/visitor";
import { logError } from "../log";
import { pathOf } from "../place-path";
import { languageSchema, preferredLanguage } from "../texts/languages";
import { errorsOf, FormRefused, fieldOf } from "./form-reader";
import {
  type Flash,
  type FormState,
  flashSchema,
  type Page,
  type PageProps,
  type PageUser,
  type Place,
  type Problem,
  secretSchema,
} from "./page";
import { type Action, modeOf, type PageRequest, single } from "./request";

/** The largest form that is read, in bytes. */
const MAX_FORM_BYTES = 64 * 1024;
/** How long a flash waits in its cookie for the page that shows it. */
const FLASH_SECONDS = 120;
/** The session ends at the api long before its cookie. */
const SESSION_COOKIE_SECONDS = 13 * 3600;
const LANGUAGE_SECONDS = 365 * 24 * 3600;
const RETRY_SECONDS = 5;
/** Never drawn again: passwords and codes are typed again. */
const UNKEPT = /password|second_factor|form_token|^code$/;

export type PageDefinition<Data> = {
  /** Who may see it: everybody, or only somebody who is signed in. */
  open?: boolean;
  /** Also for a session that waits for its second factor: the page asks nothing about its user. */
  waiting?: boolean;
  /** Another page of the console to go to instead, or null. */
  leadTo?: (request: PageRequest, data: Data) => string | null;
  load: (request: PageRequest) => Promise<Data | null>;
  actions?: Readonly<Record<string, Action>>;
};

type Me = z.infer<typeof consoleMeAnswerSchema>["data"];
type Context = GetServerSidePropsContext;
type Redirect = { redirect: { destination: string; statusCode: 303 } };
type Answer<Data> = { props: PageProps<Data> } | Redirect;

const redirectTo = (destination: string): Redirect => ({ redirect: { destination, statusCode: 303 } });

/** Who is not signed in signs in first, and comes back. */
const toSignIn = (context: Context): Redirect =>
  redirectTo(
    context.resolvedUrl === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(context.resolvedUrl)}`,
  );

/**
 * Makes the server's part of a page: reads who asks, takes its forms and loads what it shows. Every accepted form answers 303;
 * one that is not is shown again, with what was typed.
 */
export const consolePage =
  <Data>(definition: PageDefinition<Data>): GetServerSideProps<PageProps<Data>> =>
  async (context) => {
    const { req, res } = context;
    const settings = config();
    setAnswerHeaders(res, settings);
    const visitor = identify(req, settings);
    const page = blankPage(context, visitor);
    if (!visitor.known) keepCookie(context, "visitor", visitor.id);
    const refuse = (status: number, problem: Problem): Answer<Data> => {
      res.statusCode = status;
      return { props: plain({ page: { ...page, user: null }, problem }) };
    };
    if (asksForData(req) || (context.params?.mode !== undefined && modeOf(context.params) === null))
      return refuse(404, "not_found");
    try {
      const answer = req.method === "POST" ? await take(context, definition, visitor, page) : null;
      return answer ?? (await show(context, definition, visitor, page));
    } catch (error) {
      if (error instanceof Forged) {
        // The unread rest of a body must not be taken for the next request.
        res.setHeader("Connection", "close");
        return refuse(error.status, "forged");
      }
      if (error instanceof EdgeRefusal) return refused(context, error, refuse);
      if (!(error instanceof ApiUnreachable)) throw error;
      logError("A page could not be shown", { fault: error.message });
      res.setHeader("Retry-After", String(RETRY_SECONDS));
      return refuse(503, "unavailable");
    }
  };

/** A form that no page of ours sent to this browser. */
class Forged extends Error {
  constructor(readonly status: number) {
    super("The form is not ours");
  }
}

function refused<Data>(
  context: Context,
  { code, status }: EdgeRefusal,
  refuse: (status: number, problem: Problem) => Answer<Data>,
): Answer<Data> {
  if (code === "not_signed_in") {
    keepCookie(context, "session", "", 0);
    return toSignIn(context);
  }
  if (code === "second_factor_needed")
    return redirectTo(`/second-factor?next=${encodeURIComponent(context.resolvedUrl)}`);
  if (status === 404 || status === 422 || status === 400) return refuse(404, "not_found");
  return status === 403 ? refuse(403, "forbidden") : refuse(503, "unavailable");
}

/** Draws a page. GET changes nothing but the flash that it shows. */
async function show<Data>(
  context: Context,
  definition: PageDefinition<Data>,
  visitor: Visitor,
  page: Page,
): Promise<Answer<Data>> {
  const { caller } = visitor;
  if (!definition.open && caller.session === null) return toSignIn(context);
  const request = requestOf(context, visitor);
  const [user, data] = await Promise.all([
    definition.open || definition.waiting ? null : readUser(visitor),
    definition.load(request),
  ]);
  const elsewhere = data === null || page.form !== null ? null : definition.leadTo?.(request, data);
  if (elsewhere) return redirectTo(elsewhere);
  const shown = takeFlash(context, visitor, page);
  const sealed = shown.secret && seal(shown.secret, visitor.id);
  const filled: Page = { ...page, user, place: placeOf(context, user), ...shown, sealed };
  if (data !== null) return { props: plain({ page: filled, data }) };
  context.res.statusCode = 404;
  return { props: plain({ page: filled, problem: "not_found" }) };
}

/** Takes a form. @returns null when the page shall be drawn again with what is in `page.form`. */
async function take<Data>(
  context: Context,
  { actions = {}, open }: PageDefinition<Data>,
  visitor: Visitor,
  page: Page,
): Promise<Redirect | null> {
  const { req, res } = context;
  if (!isOwnOrigin(req.headers, config().consoleOrigin)) throw new Forged(403);
  const form = await readForm(req, MAX_FORM_BYTES);
  if (typeof form === "number") throw new Forged(form);
  if (!open && visitor.caller.session === null) return toSignIn(context);
  const name = form.get("action") ?? "";
  const again = (errors: FormState["errors"], status: number): null => {
    res.statusCode = status;
    const typed = [...form].filter(([field]) => !UNKEPT.test(field));
    page.form = { action: name, values: Object.fromEntries(typed), errors };
    page.secret = requestOf(context, visitor).unsealed(form.get("sealed"));
    page.formToken = formTokenOf(visitor.id, visitor.caller.session);
    return null;
  };
  // A page from before a sign-in in another window: its form is ours, and is shown again with a token that works.
  if (!visitor.known || !isFormToken(form.get("form_token"), visitor.id, visitor.caller.session))
    return again([{ field: null, text: "error.formExpired" }], 403);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new Forged(400);
  try {
    await showSecondFactor(context, visitor, form);
    const done = await action(requestOf(context, visitor), form);
    if (done.session !== undefined)
      keepCookie(context, "session", done.session ?? "", done.session === null ? 0 : SESSION_COOKIE_SECONDS);
    if (done.language) keepCookie(context, "language", done.language, LANGUAGE_SECONDS);
    if (done.flash) keepFlash(context, visitor, done.flash);
    return redirectTo(done.to);
  } catch (error) {
    if (error instanceof FormRefused) return again(error.errors, error.status);
    const passesOn = ["not_signed_in", "second_factor_needed"];
    if (!(error instanceof EdgeRefusal) || passesOn.includes(error.code)) throw error;
    return again(errorsOf(error, form), error.status);
  }
}

/** A form about money or secrets brings the second factor along: one form, one step. The session gets another token. */
async function showSecondFactor(context: Context, visitor: Visitor, form: URLSearchParams): Promise<void> {
  const code = fieldOf(form, "second_factor");
  if (code === "") return;
  const kind = /^[\d\s]{6,}$/.test(code) ? "totp" : "recovery-code";
  const path = pathOf("second-factor", kind);
  const { session } = await change(visitor.caller, path, consoleSessionTokenAnswerSchema, { code });
  visitor.caller = { ...visitor.caller, session };
  keepCookie(context, "session", session, SESSION_COOKIE_SECONDS);
}

const blankPage = (context: Context, visitor: Visitor): Page => {
  const chosen = context.req.cookies[cookieNames(config().secure).language];
  return {
    language:
      languageSchema.safeParse(chosen).data ?? preferredLanguage(context.req.headers["accept-language"]),
    path: context.resolvedUrl,
    formToken: formTokenOf(visitor.id, visitor.caller.session),
    user: null,
    place: null,
    notice: null,
    secret: null,
    sealed: null,
    form: null,
  };
};

function requestOf({ params, query }: Context, visitor: Visitor): PageRequest {
  const { caller } = visitor;
  const part = (name: string) => single(params?.[name]) ?? "";
  const given = Object.entries(query).filter(([name]) => params?.[name] === undefined);
  const queries = Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return {
    caller,
    part,
    query: (name) => queries[name],
    queries: () => queries,
    place: (...parts) => pathOf("merchants", part("merchant"), part("mode"), ...parts),
    here: (...parts) => pathOf("m", part("merchant"), part("mode"), ...parts),
    unsealed: (text) => secretSchema.safeParse(text === null ? null : unseal(text, visitor.id)).data ?? null,
  };
}

async function readUser({ caller }: Visitor): Promise<PageUser> {
  const me: Me = await read(caller, "/me", consoleMeAnswerSchema);
  const { totp, fresh_until, recovery_codes_left } = me.second_factor;
  return {
    email: me.user.email,
    administrator: me.user.role === "administrator",
    totp,
    fresh: fresh_until !== null && Date.parse(fresh_until) > Date.now(),
    recoveryCodesLeft: recovery_codes_left,
    merchants: me.merchants.map(({ merchant_id: id, name, role }) => ({ id, name, role })),
  };
}

/** The api decides who may see a merchant; this is what the frame says of it. */
function placeOf({ params }: Context, user: PageUser | null): Place | null {
  const mode = modeOf(params);
  const merchantId = single(params?.merchant);
  if (mode === null || merchantId === undefined || user === null) return null;
  const member = user.merchants.find(({ id }) => id === merchantId);
  const role: ConsoleRole = user.administrator ? "administrator" : (member?.role ?? "viewer");
  return { merchantId, name: member?.name ?? null, mode, role };
}

function keepCookie(
  { res }: Context,
  name: keyof ReturnType<typeof cookieNames>,
  value: string,
  maxAgeSeconds?: number,
): void {
  const { secure } = config();
  const options = { path: "/", secure, ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }) };
  addCookies(res, setCookie(cookieNames(secure)[name], value, options));
}

const keepFlash = (context: Context, visitor: Visitor, flash: Flash): void =>
  keepCookie(context, "flash", seal(flash, visitor.id), FLASH_SECONDS);

/** What the page before left to show. What a refused form shows comes first. */
function takeFlash(context: Context, visitor: Visitor, page: Page): Pick<Page, "notice" | "secret"> {
  const kept = context.req.cookies[cookieNames(config().secure).flash];
  const { notice = null, secret = null } =
    kept === undefined || page.form !== null
      ? page
      : (flashSchema.safeParse(unseal(kept, visitor.id)).data ?? {});
  if (kept !== undefined && page.form === null) keepCookie(context, "flash", "", 0);
  return { notice, secret };
}

/** What a page is given must be JSON: a field that is undefined is left out. */
const plain = <Data>(props: PageProps<Data>): PageProps<Data> => JSON.parse(JSON.stringify(props));
