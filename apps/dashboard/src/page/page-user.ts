import { type ConsoleRole, consoleMeAnswerSchema } from "@tillgate/contract";
import type { GetServerSidePropsContext } from "next";
import { read } from "../edge/console-edge";
import type { Visitor } from "../http/visitor";
import type { PageUser, Place } from "./page";
import { modeOf, single } from "./request";

/** Who is signed in. @throws EdgeRefusal, ApiUnreachable. */
export async function readUser({ caller }: Visitor): Promise<PageUser> {
  const { user, merchants, second_factor } = await read(caller, "/me", consoleMeAnswerSchema);
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

/** The api decides who may see a merchant; this is what the frame says of it. */
export function placeOf({ params }: GetServerSidePropsContext, user: PageUser | null): Place | null {
  const mode = modeOf(params);
  const merchantId = single(params?.merchant);
  if (mode === null || merchantId === undefined || user === null) return null;
  const member = user.merchants.find(({ id }) => id === merchantId);
  const role: ConsoleRole = user.administrator ? "administrator" : (member?.role ?? "viewer");
  return { merchantId, name: member?.name ?? null, mode, role };
}
