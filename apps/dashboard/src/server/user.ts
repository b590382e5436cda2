import {
  type ConsoleRight,
  type ConsoleRole,
  consoleMeResponseSchema,
  consoleProfileResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { GetServerSidePropsContext } from "next";
import type { Visitor } from "#http/visitor.ts";
import { ApiError, type Caller, read } from "#internal-api.ts";
import { joinPath } from "#paths.ts";
import type { MerchantContext, PageUser } from "./page";
import { readMode, single } from "./request";

/** Reads the signed-in user. @throws ApiError, ApiUnreachable */
export async function readUser({ caller }: Pick<Visitor, "caller">): Promise<PageUser> {
  const { user, merchants, second_factor } = await read(caller, "/me", consoleMeResponseSchema);
  const { totp, passkeys, fresh_until, recovery_codes_left } = second_factor;
  return {
    email: user.email,
    administrator: user.role === "administrator",
    totp,
    passkeys,
    fresh: fresh_until !== null && Date.parse(fresh_until) > Date.now(),
    recoveryCodesLeft: recovery_codes_left,
    merchants: merchants.map(({ merchant_id: id, name, role }) => ({ id, name, role })),
  };
}

/** Checks a user's right before a form asks for confirmation; the API checks again. @throws ApiError, such as role_not_allowed; ApiUnreachable */
export async function requireRight(caller: Caller, merchantId: string, right: ConsoleRight): Promise<void> {
  const { merchants, administrator } = await readUser({ caller });
  const role = administrator ? "administrator" : merchants.find(({ id }) => id === merchantId)?.role;
  if (role === undefined || !hasRight(role, right)) throw new ApiError(403, "role_not_allowed", {}, null);
}

/** Reads the merchant shown in the frame; the API enforces access. @returns null if there is no user, or if the URL lacks a merchant or a mode */
export async function readMerchantContext(
  { params }: GetServerSidePropsContext,
  { caller }: Visitor,
  user: PageUser | null,
): Promise<MerchantContext | null> {
  const mode = readMode(params);
  const merchantId = single(params?.merchant);
  if (mode === null || merchantId === undefined || user === null) return null;
  const member = user.merchants.find(({ id }) => id === merchantId);
  const role: ConsoleRole = user.administrator ? "administrator" : (member?.role ?? "viewer");
  const name = member?.name ?? (user.administrator ? await loadMerchantName(caller, merchantId) : null);
  return { merchantId, name, mode, role };
}

/**
 * Reads a merchant's name.
 * @returns null if the API rejects the request, for example because the merchant is unknown @throws ApiUnreachable
 */
async function loadMerchantName(caller: Caller, merchantId: string): Promise<string | null> {
  try {
    const path = joinPath("merchants", merchantId, "profile");
    return (await read(caller, path, consoleProfileResponseSchema)).name;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
