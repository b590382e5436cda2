import { ErrorCode, type Mode } from "@tillgate/contract";
import type { Request, RequestHandler, Response } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { EndpointChange } from "../../events/endpoints/read.js";
import { authenticateClient, type Client } from "../../identity/credentials/authenticate.js";
import { admit, getCallOrigin } from "../shared/admit.js";
import { getRequestId } from "../shared/trace.js";

/** Issued client IDs and secrets are never longer, so longer credentials are not decoded. */
const MAX_CREDENTIALS_LENGTH = 1_024;

type Admission = { testControls?: boolean };

/** Authenticates and admits a call by HTTP Basic (client ID and secret). @throws the errors of {@link authenticateClient} and {@link admit}. */
export async function authenticate(
  context: Context,
  mode: Mode,
  request: Request,
  response: Response,
  admission: Admission = {},
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

type Handle<Known> = (known: Known, request: Request, response: Response) => Promise<void>;

/** Wraps a handler that requires an authenticated client. @throws the errors of {@link authenticate}. */
export const withClient =
  (context: Context, mode: Mode, admission?: Admission) =>
  (handle: Handle<Client>): RequestHandler =>
  async (request, response) =>
    handle(await authenticate(context, mode, request, response, admission), request, response);

/** The merchant's server, identified by its credential. */
type Caller = Required<Omit<EndpointChange, "dryRun">>;

/** Like {@link withClient}, for operations that record their caller. */
export const withCaller = (context: Context, mode: Mode) => (handle: Handle<Caller>) =>
  withClient(
    context,
    mode,
  )(({ merchantId, credentialId }, request, response) =>
    handle({ merchantId, mode, by: { credentialId, requestId: getRequestId(response) } }, request, response),
  );
