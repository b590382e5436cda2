import { type ConsoleRight, hasRight } from "@tillgate/contract";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import { isDataRequest } from "@tillgate/service/web/visitor";
import type { GetServerSideProps, GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { createFormToken, seal } from "#http/seal.ts";
import { identify, readLanguage, type Visitor } from "#http/visitor.ts";
import { ApiError, ApiUnreachable } from "#internal-api.ts";
import { logError } from "#log.ts";
import { storeCookie, storeSession, takeFlash } from "./cookies";
import { type Page, type PageProps, type Problem, TEMPORARY_PROBLEMS } from "./page";
import { type PageRequest, readMode, toPageRequest } from "./request";
import { CsrfError, type FormRules, takeForm } from "./take-form";
import { readMerchantContext, readUser } from "./user";

const RETRY_SECONDS = 5;

export type PageDefinition<Data> = FormRules & {
  /** Shows the page even while the session still needs its second factor. A page with this option does not read the user. */
  allowPendingFactor?: boolean;
  /** Right that the page requires, even if the page needs no data from the API. */
  right?: ConsoleRight;
  redirectTo?: (request: PageRequest, data: Data) => string | null;
  /** Loads the data; null results in a 404. */
  load: (request: PageRequest) => Promise<Data | null>;
};

type Context = GetServerSidePropsContext;
type Redirect = { redirect: { destination: string; statusCode: 303 } };
type PageResult<Data> = { props: PageProps<Data> } | Redirect;

const redirectTo = (destination: string): Redirect => ({ redirect: { destination, statusCode: 303 } });

const redirectToSignIn = (context: Context): Redirect =>
  redirectTo(
    context.resolvedUrl === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(context.resolvedUrl)}`,
  );

/** Creates a page's getServerSideProps. An accepted form redirects (303). A rejected form keeps its input, except passwords and codes. */
export const consolePage =
  <Data>(definition: PageDefinition<Data>): GetServerSideProps<PageProps<Data>> =>
  async (context) => {
    const { req, res } = context;
    const settings = config();
    setResponseHeaders(res, settings);
    const visitor = identify(req, settings);
    const page = blankPage(context, visitor);
    if (!visitor.known) storeCookie(context, "visitor", visitor.id);
    const showProblem = (status: number, problem: Problem): PageResult<Data> => {
      res.statusCode = status;
      return { props: toJson({ page: { ...page, user: null }, problem }) };
    };
    if (isDataRequest(req) || (context.params?.mode !== undefined && readMode(context.params) === null))
      return showProblem(404, "not_found");
    try {
      const to = req.method === "POST" ? await takeForm(context, definition, visitor, page) : null;
      return to === null ? await show(context, definition, visitor, page) : redirectTo(to);
    } catch (error) {
      if (error instanceof CsrfError) {
        // The rest of the body was not read, so the connection cannot be reused.
        res.setHeader("Connection", "close");
        return showProblem(error.status, error.status === 413 ? "form_too_large" : "csrf");
      }
      if (error instanceof ApiError) {
        const elsewhere = error.status === 404 ? await findOtherMode(context, definition, visitor) : null;
        return elsewhere === null ? toErrorResult(context, error, showProblem) : showProblem(404, elsewhere);
      }
      if (!(error instanceof ApiUnreachable)) throw error;
      logError("Failed to render a page", { reason: error.message });
      res.setHeader("Retry-After", String(RETRY_SECONDS));
      return showProblem(503, TEMPORARY_PROBLEMS.find((problem) => problem === error.code) ?? "unavailable");
    }
  };

/** Loads the page in the other mode, where its ID may exist. @returns null if not found, for a form, or if the URL has no mode */
async function findOtherMode<Data>(
  context: Context,
  { load }: PageDefinition<Data>,
  visitor: Visitor,
): Promise<Problem | null> {
  const mode = readMode(context.params);
  if (mode === null || context.req.method === "POST") return null;
  const other = mode === "live" ? "sandbox" : "live";
  try {
    const found = await load(
      toPageRequest({ ...context, params: { ...context.params, mode: other } }, visitor),
    );
    return found === null ? null : `in_${other}`;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function toErrorResult<Data>(
  context: Context,
  { code, status }: ApiError,
  showProblem: (status: number, problem: Problem) => PageResult<Data>,
): PageResult<Data> {
  if (code === "not_signed_in") {
    storeSession(context, null);
    return redirectToSignIn(context);
  }
  if (code === "second_factor_needed")
    return redirectTo(`/second-factor?next=${encodeURIComponent(context.resolvedUrl)}`);
  if (code === "link_not_valid") return showProblem(404, "link_over");
  if (status === 404 || status === 422 || status === 400) return showProblem(404, "not_found");
  return status === 403 ? showProblem(403, "forbidden") : showProblem(503, "unavailable");
}

/** Renders a page. A GET request changes nothing except that it clears the flash cookie, whose content the page shows. */
async function show<Data>(
  context: Context,
  definition: PageDefinition<Data>,
  visitor: Visitor,
  page: Page,
): Promise<PageResult<Data>> {
  if (!definition.open && visitor.caller.session === null) return redirectToSignIn(context);
  const request = toPageRequest(context, visitor);
  const [user, data] = await Promise.all([
    definition.open || definition.allowPendingFactor ? null : readUser(visitor),
    definition.load(request),
  ]);
  const merchant = await readMerchantContext(context, visitor, user);
  if (definition.right && merchant && !hasRight(merchant.role, definition.right))
    throw new ApiError(403, "role_not_allowed", {}, null);
  const elsewhere = data === null || page.form !== null ? null : definition.redirectTo?.(request, data);
  if (elsewhere) return redirectTo(elsewhere);
  const shown = takeFlash(context, visitor, page);
  const sealed = shown.secret && seal(shown.secret, visitor.id);
  const filled: Page = { ...page, user, merchant, ...shown, sealed };
  if (data !== null) return { props: toJson({ page: filled, data }) };
  context.res.statusCode = 404;
  return { props: toJson({ page: filled, problem: "not_found" }) };
}

const blankPage = (context: Context, visitor: Visitor): Page => {
  return {
    language: readLanguage(context.req, config()),
    timeZone: visitor.caller.timeZone,
    timeZoneChosen: visitor.timeZoneChosen,
    path: context.resolvedUrl,
    formToken: createFormToken(visitor.id, visitor.caller.session),
    user: null,
    merchant: null,
    notice: null,
    secret: null,
    sealed: null,
    form: null,
  };
};

/** Drops undefined fields, because Next requires JSON. */
const toJson = <Data>(props: PageProps<Data>): PageProps<Data> => JSON.parse(JSON.stringify(props));
