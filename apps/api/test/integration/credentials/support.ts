import { PARTNER_API_PATHS, PAY_API_PATH } from "@tillgate/contract";
import type { IssuedCredential } from "../../../src/identity/credentials/manage.js";
import type { ApiProcess } from "../../support/api-process.js";
import { type Answer, basic, send } from "../../support/requests.js";
import type { Sandbox } from "../../support/sandbox.js";

type Issued = Pick<IssuedCredential, "kind" | "clientId" | "secret" | "mode">;

/** A call that a credential authenticates: its status tells whether it works. */
export function call({ url }: ApiProcess, { kind, clientId, secret, mode }: Issued): Promise<Answer> {
  const authorization =
    kind === "api_token" ? `Bearer ${secret}` : basic({ client_id: clientId ?? "", client_secret: secret });
  const path = kind === "api_token" ? `${PARTNER_API_PATHS[0]}/balance` : `${PAY_API_PATH[mode]}/orders`;
  return send(url + path, { headers: { authorization } });
}

/** Exchanges a client's secret for an access token. */
export async function accessToken({ url }: ApiProcess, { clientId, secret, mode }: Issued): Promise<string> {
  const { body, text } = await send(`${url}${PAY_API_PATH[mode]}/authentication/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: clientId, secret_id: secret }),
  });
  const token: unknown = Reflect.get(Object(Reflect.get(Object(body), "data")), "access_token");
  if (typeof token !== "string") throw new Error(`no access token: ${text}`);
  return token;
}

/** 404 (no such payment) while the token works, 403 when it does not. */
export const useAccessToken = async ({ url }: ApiProcess, token: string): Promise<number> =>
  (
    await send(`${url}${PAY_API_PATH.sandbox}/payment/none`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

export async function lastUsed({ database }: Sandbox, id: string): Promise<Date | null> {
  const { lastUsedAt } = await database.prisma.credential.findUniqueOrThrow({ where: { id } });
  return lastUsedAt;
}

/** Lets the overlap of a rotation end, as if its hours had passed. */
export const endOverlap = ({ database }: Sandbox, oldId: string) =>
  database.pool.query("UPDATE credentials SET expires_at = clock_timestamp() WHERE id = $1", [oldId]);
