import { ErrorCode, type Mode } from "@tillgate/contract";
import type { Request, Response } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { authenticateClient, type Client } from "../../identity/credentials/authenticate.js";
import { admit, getCallOrigin } from "../shared/admit.js";

/** Maximum length of encoded credentials. No issued client ID and secret are longer, so longer ones are not decoded. */
const MAX_CREDENTIALS_LENGTH = 1_024;

/**
 * Authenticates the caller by `Authorization: Basic base64(client_id:client_secret)`, and admits the call as {@link admit}.
 * @throws OperationError InvalidCredentials, WrongMode, MerchantSuspended, TooManyRequests, ReadOnlyCredential, OrderOnlyCredential,
 * ReportsOnlyCredential; the error of a sandbox test control.
 */
export async function authenticate(
  context: Context,
  mode: Mode,
  request: Request,
  response: Response,
  admission: { testControls?: boolean } = {},
): Promise<Client> {
  const [scheme, encoded] = (request.get("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "basic" || !encoded || encoded.length > MAX_CREDENTIALS_LENGTH)
    throw new OperationError(ErrorCode.InvalidCredentials);
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  const clientId = decoded.slice(0, colon);
  if (colon < 1 || clientId.includes("\u0000")) throw new OperationError(ErrorCode.InvalidCredentials);
  const clientSecret = decoded.slice(colon + 1);
  const client = await authenticateClient(context, {
    clientId,
    clientSecret,
    mode,
    ...getCallOrigin(request),
  });
  await admit(context, "pay", client, { request, response, ...admission });
  return client;
}
