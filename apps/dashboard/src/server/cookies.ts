import { addCookies, formatCookie } from "@tillgate/service/web/headers";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { seal, unseal } from "#http/seal.ts";
import type { Visitor } from "#http/visitor.ts";
import { getCookieNames } from "#http/visitor.ts";
import { type Flash, flashSchema, type Page } from "./page";

const FLASH_SECONDS = 120;
/** Lifetime of the session cookie, longer than the 12 hours after which the API ends a session. */
const SESSION_COOKIE_SECONDS = 13 * 3600;

type Context = Pick<GetServerSidePropsContext, "req" | "res">;

/** Sets a cookie. A `maxAgeSeconds` of 0 deletes the cookie; undefined makes it a session cookie. */
export function storeCookie(
  { res }: Pick<Context, "res">,
  name: keyof ReturnType<typeof getCookieNames>,
  value: string,
  maxAgeSeconds?: number,
): void {
  const { secure } = config();
  const options = { path: "/", secure, ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }) };
  addCookies(res, formatCookie(getCookieNames(secure)[name], value, options));
}

/** Stores the session token in its cookie; null deletes the cookie. */
export const storeSession = (context: Context, session: string | null): void =>
  storeCookie(context, "session", session ?? "", session === null ? 0 : SESSION_COOKIE_SECONDS);

export const storeFlash = (context: Context, visitor: Visitor, flash: Flash): void =>
  storeCookie(context, "flash", seal(flash, visitor.id), FLASH_SECONDS);

/** Reads and clears the flash cookie. A redisplayed form shows its own secret instead, and leaves the cookie for the next page. */
export function takeFlash(context: Context, visitor: Visitor, page: Page): Pick<Page, "notice" | "secret"> {
  const flash = context.req.cookies[getCookieNames(config().secure).flash];
  const { notice = null, secret = null } =
    flash === undefined || page.form !== null
      ? page
      : (flashSchema.safeParse(unseal(flash, visitor.id)).data ?? {});
  if (flash !== undefined && page.form === null) storeCookie(context, "flash", "", 0);
  return { notice, secret };
}
