import type { Mode, WalletView } from "@tillgate/contract";
import { addCookies, setAnswerHeaders } from "@tillgate/service/web/headers";
import { asksForData } from "@tillgate/service/web/visitor";
import type { GetServerSideProps, GetServerSidePropsContext } from "next";
import type { z } from "zod";
import { config } from "#config.ts";
import { doneSchema, one, WALLET_SIGN_IN, withQuery } from "#http/addresses.ts";
import { spokenBy } from "#http/page-locale.ts";
import {
  type CookieToken,
  deviceCookie,
  endedSession,
  identify,
  paymentToken,
  readOwnForm,
  sessionCookie,
  visitorCookie,
} from "#http/shopper.ts";
import {
  ApiUnreachable,
  type Caller,
  type Refused,
  readView,
  type WalletSession,
} from "#internal-api/checkout.ts";
import { readWallet } from "#internal-api/wallet.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { type Notice, plainNotice } from "#notice.ts";
import type { Locale } from "#texts/languages.ts";
import type { FromOrder, WalletCommon, WalletScreen, WalletShown } from "#views/wallet/wallet-screen.ts";

/** One request of a wallet page. */
export type Visit = {
  caller: Caller;
  locale: Locale;
  view: WalletView;
  query: GetServerSidePropsContext["query"];
  params: GetServerSidePropsContext["params"];
};

/** Result of a form: a redirect or an error, and what to store in the browser. */
export type Taken = {
  session?: WalletSession | "ended" | null;
  device?: CookieToken;
} & ({ to: string } | { notice: Notice; wrong: readonly string[] });

type Drawn = WalletScreen | { to: string };

export type WalletPage = {
  /** Requires sign-in; signed-out visitors are redirected to it and back. */
  signedIn: boolean;
  /** Loads the page; null is a 404. */
  show(visit: Visit, common: WalletCommon): Promise<Drawn | null>;
  take?(visit: Visit, form: URLSearchParams): Promise<Taken>;
};

/** Fields that an error is about if the API names none. */
const ABOUT: Partial<Record<Notice["code"], readonly string[]>> = {
  wrong_pin: ["pin"],
  invalid_pin: ["new_pin"],
  same_pin: ["new_pin"],
  trivial_pin: ["new_pin"],
  pins_differ: ["repeated_pin"],
  phone_without_country: ["identifier"],
  identifier_taken: ["email", "phone"],
  unknown_shopper: ["identifier"],
  insufficient_balance: ["amount"],
  no_rate: ["to"],
};
/** API fields with a different name in the form. */
const NAMES: Readonly<Record<string, string>> = { from_currency: "from", to_currency: "to" };

/** Converts an API error into a result. */
export const refusedStep = ({ reason, waitSeconds, missing, fields }: Refused): Taken => ({
  notice: { code: reason, identifier: null, waitSeconds, missing },
  wrong: fields.length === 0 ? (ABOUT[reason] ?? []) : fields.map((field) => NAMES[field] ?? field),
  session: reason === "not_signed_in" ? "ended" : null,
});

/** A validation error found without calling the API. */
export const refusedHere = (code: Notice["code"], identifier: string | null = null): Taken => ({
  notice: { ...plainNotice, code, identifier },
  wrong: ABOUT[code] ?? [],
});

const PINS = ["pin", "new_pin"];

/** The same for a schema error, with its fields. */
export function refusedFields(error: z.ZodError, identifier: string | null = null): Taken {
  const found = [...new Set(error.issues.map(({ path }) => String(path[0])))];
  if (found.includes("form_token")) return refusedHere("form_rejected", identifier);
  const code = found.every((field) => PINS.includes(field)) ? "invalid_pin" : "invalid_field";
  return { ...refusedHere(code, identifier), wrong: found.map((field) => NAMES[field] ?? field) };
}

/** The API rejected a read that the page needs. */
export class ReadRefused extends Error {
  override readonly name = "ReadRefused";
  constructor(readonly refused: Refused) {
    super(`The api refused to show a wallet: ${refused.reason}`);
  }
}

/**
 * Serves a wallet page and its form. An accepted form redirects (303); a rejected one redraws the page with the error. A
 * rejected form changed nothing, so resubmitting is safe.
 */
export const walletPage =
  (page: WalletPage): GetServerSideProps<WalletShown> =>
  async (request) => {
    const { req, res, params, query, resolvedUrl: address } = request;
    const settings = config();
    setAnswerHeaders(res, settings);
    const spoken = spokenBy({ req, res, address }, settings, null);
    const shown = (screen: WalletScreen, status = 200) => {
      res.statusCode = status;
      return { props: { ...spoken, screen } };
    };
    const leadTo = (destination: string) => ({ redirect: { destination, statusCode: 303 as const } });
    if (asksForData(req)) return shown({ kind: "not_found" }, 404);
    const { take } = page;
    const sends = req.method === "POST" && take !== undefined;
    if (!sends && req.method !== "GET" && req.method !== "HEAD") {
      res.setHeader("Allow", take === undefined ? "GET, HEAD" : "GET, HEAD, POST");
      return shown({ kind: "refused", why: "method" }, 405);
    }
    const { caller, known } = identify(req, settings);
    try {
      let taken: Taken | null = null;
      let typed: WalletCommon["typed"] = {};
      const view = await mustRead(readWallet(caller));
      const visit: Visit = { caller, locale: spoken.locale, view, query, params };
      if (sends) {
        const form = await readOwnForm(req, res, settings);
        if ("why" in form) return shown({ kind: "refused", why: form.why }, form.status);
        typed = typedFields(form);
        taken = known ? await take(visit, form) : refusedHere("cookies_needed");
        if (taken.session === "ended") addCookies(res, endedSession(settings));
        else if (taken.session) addCookies(res, sessionCookie(settings, taken.session));
        if (taken.device) addCookies(res, deviceCookie(settings, taken.device));
        if ("to" in taken) return leadTo(taken.to);
      }
      if (!known) addCookies(res, visitorCookie(settings, caller));
      if (caller.session !== null && view.shopper === null) addCookies(res, endedSession(settings));
      if (page.signedIn && (view.shopper === null || taken?.session === "ended")) {
        return leadTo(withQuery(WALLET_SIGN_IN, { next: spoken.address }));
      }
      const { notice, wrong } = taken !== null && "notice" in taken ? taken : { notice: null, wrong: [] };
      const done = doneSchema.safeParse(one(query, "done")).data ?? null;
      const drawn = await page.show(visit, { view, notice, wrong, done, typed });
      if (drawn === null) return shown({ kind: "not_found" }, 404);
      if ("to" in drawn) return leadTo(drawn.to);
      return shown(drawn, statusOf(notice));
    } catch (error) {
      if (error instanceof ReadRefused && error.refused.reason === "not_found")
        return shown({ kind: "not_found" }, 404);
      if (!(error instanceof ApiUnreachable || error instanceof ReadRefused)) throw error;
      logError("A page of the wallet could not be shown", { fault: error.message });
      res.setHeader("Retry-After", String(RETRY_SECONDS));
      return shown({ kind: "unavailable", address: spoken.address }, 503);
    }
  };

/** Fields refilled after an error. */
const KEPT_FIELDS = ["name", "email", "phone", "currency", "from", "to", "amount"] as const;
const MAX_KEPT = 254;

const typedFields = (form: URLSearchParams): WalletCommon["typed"] =>
  Object.fromEntries(KEPT_FIELDS.map((name) => [name, (form.get(name) ?? "").slice(0, MAX_KEPT)]));

/** Unwraps a read. @throws ReadRefused */
export async function mustRead<T>(outcome: Promise<{ ok: true; data: T } | Refused>): Promise<T> {
  const read = await outcome;
  if (!read.ok) throw new ReadRefused(read);
  return read.data;
}

/** A page with a form error is not a 200, so that programs notice. */
const statusOf = (notice: Notice | null): number =>
  notice === null ? 200 : notice.waitSeconds === null ? 422 : 429;

/** The payment named by the address, or null. @throws ApiUnreachable */
export async function fromOrder({
  caller,
  query,
}: Pick<Visit, "caller" | "query">): Promise<(FromOrder & { mode: Mode }) | null> {
  const token = paymentToken(one(query, "order") ?? undefined);
  const read = token === null ? null : await readView(token, caller);
  if (token === null || !read?.ok) return null;
  const { order, merchant } = read.data;
  const { amount, currency, mode } = order;
  return { token, merchant: merchant.name, amount, currency, mode };
}

/** An API amount without its currency. */
export const bareAmount = (amount: string): string => amount.split(" ")[0] ?? "";
