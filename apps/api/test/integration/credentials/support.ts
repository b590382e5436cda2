import { PARTNER_API_PATHS, PAY_API_PATH } from "@tillgate/contract";
import type { IssuedCredential } from "../../../src/identity/credentials/manage.js";
import type { ApiProcess } from "../../support/api-process.js";
import { type ApiResponse, basic, send } from "../../support/requests.js";
import type { Sandbox } from "../../support/sandbox.js";

type Issued = Pick<IssuedCredential, "kind" | "clientId" | "secret" | "mode">;

/** Sends an authenticated request; the status shows whether the credential is valid. */
export function callWith(
  { url }: ApiProcess,
  { kind, clientId, secret, mode }: Issued,
): Promise<ApiResponse> {
  const authorization =
    kind === "api_token" ? `Bearer ${secret}` : basic({ client_id: clientId ?? "", client_secret: secret });
  const path = kind === "api_token" ? `${PARTNER_API_PATHS[0]}/balance` : `${PAY_API_PATH[mode]}/orders`;
  return send(url + path, { headers: { authorization } });
}

export async function requestAccessToken(
  { url }: ApiProcess,
  { clientId, secret, mode }: Issued,
): Promise<string> {
  const { body, text } = await send(`${url}${PAY_API_PATH[mode]}/authentication/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: clientId, secret_id: secret }),
  });
  const token: unknown = Reflect.get(Object(Reflect.get(Object(body), "data")), "access_token");
  if (typeof token !== "string") throw new Error(`the response contains no access token: ${text}`);
  return token;
}

/** Reads an unknown payment with the access token. @returns 404 if the token is valid, 403 otherwise */
export const accessTokenStatus = async ({ url }: ApiProcess, token: string): Promise<number> =>
  (
    await send(`${url}${PAY_API_PATH.sandbox}/payment/none`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

export async function lastUsedAt({ database }: Sandbox, id: string): Promise<Date | null> {
  const { lastUsedAt } = await database.prisma.credential.findUniqueOrThrow({ where: { id } });
  return lastUsedAt;
}

export const endOverlap = ({ database }: Sandbox, oldId: string) =>
  database.pool.query("UPDATE credentials SET expires_at = clock_timestamp() WHERE id = $1", [oldId]);
