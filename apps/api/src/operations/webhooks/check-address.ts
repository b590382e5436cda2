import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { type OperationError, wrongField } from "../../operation-error.js";
import {
  isAllowedAddress,
  isLocalName,
  RefusedAddressError,
  receiverUrl,
} from "../../outbox/address-guard.js";
import { resolveByNameServers, resolveBySystem } from "../../outbox/resolve-host.js";

/**
 * Checks an address when it is entered, so that a mistake shows at once. Every connection checks it again.
 * A host that does not resolve (yet) passes: a test of it shows that.
 * @param field what the request calls it.
 * @throws OperationError InvalidFields.
 */
export async function checkAddress(
  { config }: Pick<Context, "config">,
  mode: Mode,
  address: string,
  field = "address",
): Promise<void> {
  const refused = (reason: string): OperationError => wrongField(field, `cannot be used: ${reason}`);
  const privateAllowed = config.privateWebhookAddresses;
  let url: URL;
  try {
    url = receiverUrl({ address, mode, privateAllowed });
  } catch (error) {
    if (error instanceof RefusedAddressError) throw refused(error.message);
    throw error;
  }
  const resolve = privateAllowed ? resolveBySystem : resolveByNameServers();
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!privateAllowed && isLocalName(host)) throw refused("the host is not on the public internet");
  const answers = await resolve(host).catch(() => []);
  if (!answers.every((answer) => isAllowedAddress(answer.address, privateAllowed)))
    throw refused("the host is not on the public internet");
}
