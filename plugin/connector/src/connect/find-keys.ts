import { isLiveAddress } from "@tillgate/contract";
import { connectByConsole } from "./by-console.js";
import { type Finding, fix, ok } from "./finding.js";
import { type ConnectOptions, UsageError } from "./options.js";
import { type Mode, storedKeys, type TillgateKeys } from "./store-entry.js";

export type FoundKeys =
  | { mode: Mode; keys: TillgateKeys; findings: Finding[] }
  | { keys: null; findings: Finding[] };

/**
 * The keys of Tillgate: pasted ones, those that the file has, or new ones by the console.
 *
 * @param canConnect whether the store itself is as it should be: else nobody is led to the console for nothing
 * @param show shows the console's address
 * @throws UsageError, StoresFileError
 */
export async function findKeys(
  options: ConnectOptions,
  canConnect: boolean,
  show: (address: string) => void,
): Promise<FoundKeys> {
  const { clientId, clientSecret, mode, out } = options;
  if (clientId !== undefined && clientSecret !== undefined) {
    const pasted = { client_id: clientId, client_secret: clientSecret };
    return { mode, keys: { [mode]: pasted, isPasted: true }, findings: [] };
  }
  // Read in any case: a file that cannot be written is known before the owner agrees to anything.
  const kept = out === null ? null : await storedKeys(out, options.storeId);
  if (kept !== null && !options.again) {
    const wanted = options.isModeGiven ? mode : kept.mode;
    return ofMode(options, wanted, kept.keys, `The keys are those in ${out}; --again asks for new ones.`);
  }
  if (options.checkOnly)
    throw new UsageError(
      "--check makes nothing: give --client-id and --client-secret, or --out with a file of keys.",
    );
  if (!canConnect) return { keys: null, findings: [] };
  const { host } = new URL(options.storeUrl);
  const connected = await connectByConsole({
    tillgateUrl: options.tillgateUrl,
    shopName: host,
    shopUrl: options.storeUrl,
    show,
  });
  if ("finding" in connected) return { keys: null, findings: [connected.finding] };
  const { merchant_name, sandbox, live } = connected.keys;
  const modes = live === null ? "of the sandbox" : "of the sandbox and of live";
  return ofMode(
    options,
    mode,
    { sandbox, live: live ?? undefined, isPasted: false },
    `Connected with ${merchant_name}: keys ${modes}.`,
  );
}

/** The keys with the mode that they are for: another one where they have none of the wanted. @throws UsageError */
function ofMode(options: ConnectOptions, wanted: Mode, keys: TillgateKeys, words: string): FoundKeys {
  const other = wanted === "live" ? "sandbox" : "live";
  const mode = keys[wanted] === undefined ? other : wanted;
  rejectPlainHttp(options, mode);
  if (mode === wanted) return { mode, keys, findings: [ok(words)] };
  const missing = fix(
    `There are no keys of ${wanted}, so the store stays in ${mode}.`,
    "Live keys are for stores that are reached by https. Run this again with --again, or paste the keys.",
  );
  return { mode, keys, findings: [ok(words), missing] };
}

/** A mode that stands in the file is as strict as one that is said. @throws UsageError */
function rejectPlainHttp(options: ConnectOptions, mode: Mode): void {
  const { tillgateUrl, connectorUrl, returnUrl } = options;
  if (mode === "live" && ![tillgateUrl, connectorUrl, returnUrl].every(isLiveAddress))
    throw new UsageError("The store is live: the addresses of Tillgate, connector and return must be https.");
}
