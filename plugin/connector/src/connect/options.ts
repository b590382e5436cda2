import { isLiveAddress, withoutTrailingSlashes } from "@tillgate/contract";
import {
  baseAddress,
  type Kind,
  oneOf,
  readSettings,
  rulesOf,
  SettingsError,
  type SettingsOf,
  type SettingsTable,
} from "@tillgate/service/settings";
import { Command, CommanderError, Option } from "commander";
import { keyFields, storeFields } from "../store-config.js";

/** As the connector takes it in `CONNECTOR_STORES`. */
const field = (name: "id" | "consumer_key" | "consumer_secret" | "return_url"): Kind<string> => ({
  limit: `a store's ${name}`,
  schema: storeFields.shape[name],
});
const key = (name: keyof typeof keyFields.shape): Kind<string> => ({
  limit: `a store's ${name}`,
  schema: keyFields.shape[name],
});

const connectSettings = {
  storeUrl: { name: "The store's address", kind: baseAddress },
  storeId: { name: "--id", kind: field("id"), default: "shop" },
  consumerKey: { name: "--consumer-key", kind: field("consumer_key") },
  consumerSecret: { name: "--consumer-secret", kind: field("consumer_secret"), secret: true },
  clientId: { name: "--client-id", kind: key("client_id"), ifUnset: "asked for in the console" },
  clientSecret: {
    name: "--client-secret",
    kind: key("client_secret"),
    ifUnset: "asked for in the console",
    secret: true,
  },
  mode: { name: "--mode", kind: oneOf(["sandbox", "live"]), default: "sandbox" },
  tillgateUrl: { name: "--tillgate-url", kind: baseAddress },
  connectorUrl: { name: "--connector-url", kind: baseAddress },
  returnUrl: { name: "--return-url", kind: field("return_url") },
} satisfies SettingsTable;

const rule = rulesOf(connectSettings);
/** What the connector would refuse at its start. */
const rules = (["tillgateUrl", "connectorUrl", "returnUrl"] as const).map((name) =>
  rule(
    [name, "mode"],
    (settings) => settings.mode === "live" && !isLiveAddress(settings[name]) && "must be https in live mode",
  ),
);

/** What has to be known and has no default, in the order of asking. */
const asked = [
  { flag: "--consumer-key", variable: "WOO_CONSUMER_KEY", question: "The store's REST consumer key (ck_…)" },
  { flag: "--consumer-secret", variable: "WOO_CONSUMER_SECRET", question: "Its consumer secret (cs_…)" },
  { flag: "--tillgate-url", variable: "TILLGATE_API_URL", question: "The address of the Tillgate API" },
  { flag: "--connector-url", variable: "CONNECTOR_URL", question: "The connector's public address" },
];

/** Keys that were copied from the console. Where neither is given, the console is asked. */
const pasted = [
  { flag: "--client-id", variable: "TILLGATE_CLIENT_ID", question: "The Tillgate client id" },
  { flag: "--client-secret", variable: "TILLGATE_CLIENT_SECRET", question: "Its client secret" },
];

/** What a store is connected with. */
export type ConnectOptions = SettingsOf<typeof connectSettings> & {
  /** Whether `--mode` was said. */
  isModeGiven: boolean;
  /** Connect by the console also where the file has keys. */
  again: boolean;
  /** Look only: nothing is made or changed. */
  checkOnly: boolean;
  /** The file that keeps CONNECTOR_STORES; null: the entry is printed. */
  out: string | null;
};

/** The command was used wrongly. Its text says how to use it and never repeats a secret. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Asks the person at the screen. @returns null where there is none */
export type AskPerson = (question: string, isSecret: boolean) => Promise<string | null>;

function commandOf(write: (text: string) => void): Command {
  const command = new Command("tillgate-connect")
    .description(
      "Connects a WooCommerce store to Tillgate: without a client id and secret it leads you to the console, where you sign in and agree. It checks keys, currency, clocks and webhooks, makes the store's webhooks, and gives the connector's entry for the store. It may be run again at any time.",
    )
    .argument("<store url>", "the store's address, https://shop.example")
    .option("--check", "check only: create and change nothing")
    .option("--id <name>", "the store's ID in the connector", "shop")
    .option("--mode <mode>", "the credential's mode: sandbox or live", "sandbox")
    .option(
      "--return-url <address>",
      "where the shopper goes afterwards, with {order_id} and {order_key} in it",
    )
    .option("--again", "request new API keys even if the file has some")
    .option("--out <file>", "add the entry to this file of CONNECTOR_STORES instead of printing it")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  for (const { flag, variable, question } of [...asked, ...pasted])
    command.addOption(new Option(`${flag} <text>`, question).env(variable));
  return command;
}

/**
 * Reads flags and environment, and asks for what is missing.
 *
 * @returns null where only help was asked for
 * @throws UsageError with every mistake, before anything is sent or stored
 */
export async function readOptions(
  words: readonly string[],
  askPerson: AskPerson,
  write: (text: string) => void,
): Promise<ConnectOptions | null> {
  const command = commandOf(write);
  try {
    command.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw new UsageError(error.message.replace(/^error: /, ""));
  }
  const {
    check = false,
    out = null,
    again = false,
  } = command.opts<{
    check?: boolean;
    out?: string;
    again?: boolean;
  }>();
  const isModeGiven = command.getOptionValueSource("mode") === "cli";
  const storeUrl = withoutTrailingSlashes(command.args[0] ?? "");
  const given: Record<string, string | undefined> = {
    [connectSettings.storeUrl.name]: storeUrl,
    [connectSettings.returnUrl.name]: `${storeUrl}/checkout/return?order={order_id}&key={order_key}`,
  };
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value === "string") given[option.long ?? ""] = value;
  }
  // One of the two alone was forgotten.
  const isPasted = pasted.some(({ flag }) => given[flag]);
  const needed = isPasted ? [...asked, ...pasted] : asked;
  for (const { flag, question } of needed)
    given[flag] ||= (await askPerson(question, flag.endsWith("-secret"))) ?? "";
  const missing = needed.filter(({ flag }) => !given[flag]);
  if (missing.length > 0)
    throw new UsageError(
      `Not given: ${missing.map(({ flag, variable }) => `${flag} or ${variable}`).join(", ")}.`,
    );
  try {
    return { ...readSettings(connectSettings, given, rules), isModeGiven, again, checkOnly: check, out };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UsageError(`${error.message}\nNothing was stored.`);
  }
}
