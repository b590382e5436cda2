import type { Mode, WalletView } from "@tillgate/contract";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import { isDataRequest } from "@tillgate/service/web/visitor";
import type { GetServerSideProps, GetServerSidePropsContext } from "next";
import type { z } from "zod";
import { config } from "#config.ts";
import { doneSchema, queryValue, WALLET_SIGN_IN, withQuery } from "#http/addresses.ts";
import { readPageLocale } from "#http/page-locale.ts";
import {
  identify,
  parsePaymentToken,
  readSameOriginForm,
  type SignInChange,
  storeCookie,
  storeSignIn,
} from "#http/shopper.ts";
import { ApiUnreachable, type Caller, type Rejected, readView } from "#internal-api/checkout.ts";
import { readWallet } from "#internal-api/wallet.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { type Notice, plainNotice } from "#notice.ts";
import type { Locale } from "#texts/languages.ts";
import type {
  OriginOrder,
  WalletCommon,
  WalletScreen,
  WalletScreenProps,
} from "#views/wallet/wallet-screen.ts";

export type Visit = {
  caller: Caller;
  locale: Locale;
  view: WalletView;
  query: GetServerSidePropsContext["query"];
};

export type FormResult = SignInChange & ({ to: string } | { notice: Notice; wrong: readonly string[] });

type PageResult = WalletScreen | { to: string };

export type WalletPage = {
  /** Requires sign-in: signed-out visitors are redirected to sign-in and then back. */
  signedIn: boolean;
  /** Loads the page; null results in a 404. */
  show(visit: Visit, common: WalletCommon): Promise<PageResult | null>;
  take?(visit: Visit, form: URLSearchParams): Promise<FormResult>;
};

/** Fields to mark as invalid for each error code, if the API names no fields. */
const FIELDS_OF_CODE: Partial<Record<Notice["code"], readonly string[]>> = {
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
const FORM_FIELD_NAMES: Readonly<Record<string, string>> = { from_currency: "from", to_currency: "to" };

export const toApiError = ({ reason, waitSeconds, missing, fields }: Rejected): FormResult => ({
  notice: { code: reason, identifier: null, waitSeconds, missing },
  wrong:
    fields.length === 0
      ? (FIELDS_OF_CODE[reason] ?? [])
      : fields.map((field) => FORM_FIELD_NAMES[field] ?? field),
  session: reason === "not_signed_in" ? "ended" : null,
});

/** Returns the form result for an error found before calling the API. */
export const toValidationError = (code: Notice["code"], identifier: string | null = null): FormResult => ({
  notice: { ...plainNotice, code, identifier },
  wrong: FIELDS_OF_CODE[code] ?? [],
});

const PINS = ["pin", "new_pin"];

export function toSchemaError(error: z.ZodError, identifier: string | null = null): FormResult {
  const invalidFields = [...new Set(error.issues.map(({ path }) => String(path[0])))];
  if (invalidFields.includes("form_token")) return toValidationError("form_rejected", identifier);
  const code = invalidFields.every((field) => PINS.includes(field)) ? "invalid_pin" : "invalid_field";
  return {
    ...toValidationError(code, identifier),
    wrong: invalidFields.map((field) => FORM_FIELD_NAMES[field] ?? field),
  };
}

export class ReadRejected extends Error {
  override readonly name = "ReadRejected";
  constructor(readonly refused: Rejected) {
    super(`The API rejected a read that a wallet page needs: ${refused.reason}`);
  }
}

/**
 * Serves a wallet page and its form. An accepted form redirects (303); a rejected form redisplays the page with the error, or redirects to
 * sign-in if the session has ended. If the API is unreachable, responds 503; whether a submitted form took effect is then unknown.
 */
export const createWalletPage =
  (page: WalletPage): GetServerSideProps<WalletScreenProps> =>
  async (request) => {
    const { req, res, query, resolvedUrl: address } = request;
    const settings = config();
    setResponseHeaders(res, settings);
    const pageLocale = readPageLocale({ req, res, address }, settings, null);
    const show = (screen: WalletScreen, status = 200) => {
      res.statusCode = status;
      return { props: { ...pageLocale, screen } };
    };
    const redirectTo = (destination: string) => ({ redirect: { destination, statusCode: 303 as const } });
    if (isDataRequest(req)) return show({ kind: "not_found" }, 404);
    const { take } = page;
    const isSubmit = req.method === "POST" && take !== undefined;
    if (!isSubmit && req.method !== "GET" && req.method !== "HEAD") {
      res.setHeader("Allow", take === undefined ? "GET, HEAD" : "GET, HEAD, POST");
      return show({ kind: "rejected", why: "method" }, 405);
    }
    const { caller, known } = identify(req, settings);
    try {
      let result: FormResult | null = null;
      let typed: WalletCommon["typed"] = {};
      const view = await unwrapRead(readWallet(caller));
      const visit: Visit = { caller, locale: pageLocale.locale, view, query };
      if (isSubmit) {
        const form = await readSameOriginForm(req, res, settings);
        if ("why" in form) return show({ kind: "rejected", why: form.why }, form.status);
        typed = readTypedFields(form);
        result = known ? await take(visit, form) : toValidationError("cookies_needed");
        storeSignIn(res, settings, result);
        if ("to" in result) return redirectTo(result.to);
      }
      if (!known) storeCookie(res, settings, "visitor", caller.visitor);
      if (caller.session !== null && view.shopper === null) storeSignIn(res, settings, { session: "ended" });
      if (page.signedIn && (view.shopper === null || result?.session === "ended")) {
        return redirectTo(withQuery(WALLET_SIGN_IN, { next: pageLocale.address }));
      }
      const { notice, wrong } = result !== null && "notice" in result ? result : { notice: null, wrong: [] };
      const done = doneSchema.safeParse(queryValue(query, "done")).data ?? null;
      const screenOrRedirect = await page.show(visit, { view, notice, wrong, done, typed });
      if (screenOrRedirect === null) return show({ kind: "not_found" }, 404);
      if ("to" in screenOrRedirect) return redirectTo(screenOrRedirect.to);
      return show(screenOrRedirect, getStatus(notice));
    } catch (error) {
      if (error instanceof ReadRejected && error.refused.reason === "not_found")
        return show({ kind: "not_found" }, 404);
      if (!(error instanceof ApiUnreachable || error instanceof ReadRejected)) throw error;
      logError("Failed to render a wallet page", { reason: error.message });
      res.setHeader("Retry-After", String(RETRY_SECONDS));
      return show({ kind: "unavailable", address: pageLocale.address }, 503);
    }
  };

const REFILLED_FIELDS = ["name", "email", "phone", "currency", "from", "to", "amount"] as const;
const MAX_REFILL_LENGTH = 254;

const readTypedFields = (form: URLSearchParams): WalletCommon["typed"] =>
  Object.fromEntries(
    REFILLED_FIELDS.map((name) => [name, (form.get(name) ?? "").slice(0, MAX_REFILL_LENGTH)]),
  );

/** Returns the data of a response. @throws ReadRejected if the API rejected the request */
export async function unwrapRead<T>(outcome: Promise<{ ok: true; data: T } | Rejected>): Promise<T> {
  const read = await outcome;
  if (!read.ok) throw new ReadRejected(read);
  return read.data;
}

/** Returns 200 without a notice, 429 if the visitor must wait, otherwise 422, so that programs can detect the error. */
const getStatus = (notice: Notice | null): number =>
  notice === null ? 200 : notice.waitSeconds === null ? 422 : 429;

/** Reads the order whose token is in the URL; null if there is no token or the API rejects the request. @throws ApiUnreachable */
export async function orderFromQuery({
  caller,
  query,
}: Pick<Visit, "caller" | "query">): Promise<(OriginOrder & { mode: Mode }) | null> {
  const token = parsePaymentToken(queryValue(query, "order") ?? undefined);
  const read = token === null ? null : await readView(token, caller);
  if (token === null || !read?.ok) return null;
  const { order, merchant } = read.data;
  const { amount, currency, mode } = order;
  return { token, merchant: merchant.name, amount, currency, mode };
}

export const stripCurrency = (amount: string): string => amount.split(" ")[0] ?? "";
