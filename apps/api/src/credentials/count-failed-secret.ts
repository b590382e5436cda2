import { createHash } from "node:crypto";
import { Refusal } from "@tillgate/contract";
import type { Context } from "../context.js";
import { clientNetwork } from "../limits/client-network.js";
import { countFailure, pendingMs } from "../limits/failed-secrets.js";
import { OperationError } from "../operation-error.js";

/**
 * Counts a failed secret against its client address and, where there is one, against client id and address together. Call
 * it only when the secret is wrong. After some failures, wrong secrets are refused for a time that doubles each time. A
 * right secret never comes here, so a stranger cannot lock a merchant out.
 * @throws OperationError TooManyRequests while the address, or client id and address, has to wait.
 */
export async function countFailedSecret(
  { config, memory }: Context,
  { clientAddress, clientId }: { clientAddress: string; clientId?: string },
): Promise<void> {
  const { wrongSecretsAnAddress, wrongSecretsAClient } = config;
  const network = clientNetwork(clientAddress);
  const keys = [{ key: network, free: wrongSecretsAnAddress }];
  if (clientId !== undefined) {
    // Hashed: the typed text is not kept in clear, and any length fits.
    const key = createHash("sha256").update(`${network} ${clientId}`).digest("base64url");
    keys.push({ key, free: wrongSecretsAClient });
  }
  const waits = await Promise.all(keys.map(({ key }) => pendingMs(memory.failedSecrets, key)));
  const longest = Math.max(...waits);
  if (longest > 0)
    throw new OperationError(Refusal.TooManyRequests, { retryAfterSeconds: Math.ceil(longest / 1000) });
  await Promise.all(keys.map(({ key, free }) => countFailure(memory.failedSecrets, key, free)));
}
