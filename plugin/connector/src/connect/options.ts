import { parseWebAddress, withoutTrailingSlashes } from "@tillgate/contract";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { ID_AS_SECRET, isNoClientId, isNoSecret, SECRET_AS_ID } from "../credential-shape.js";
import { isLiveAddress } from "../live-address.js";

/** What a store is connected with. */
export interface ConnectOptions {
  storeUrl: string;
  storeId: string;
  consumerKey: string;
  consumerSecret: string;
  clientId: string;
  clientSecret: string;
  mode: "sandbox" | "live";
  tillgateUrl: string;
  connectorUrl: string;
  returnUrl: string;
  /** Look only: nothing is made or changed. */
  checkOnly: boolean;
  /** The file that keeps CONNECTOR_STORES; null: the entry is printed. */
  out: string | null;
}

/** The command was used wrongly. Its text says how to use it and never repeats a secret. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Asks the person at the screen. @returns null where there is none */
export type AskPerson = (question: string, isSecret: boolean) => Promise<string | null>;

interface Wanted {
  flag: string;
  variable: string;
  question: string;
  isSecret: boolean;
}

/** What has to be known and has no default, in the order of asking. */
const wanted = {
  consumerKey: {
    flag: "--consumer-key",
    variable: "WOO_CONSUMER_KEY",
    question: "The store's REST consumer key (ck_…)",
    isSecret: false,
  },
  consumerSecret: {
    flag: "--consumer-secret",
    variable: "WOO_CONSUMER_SECRET",
    question: "Its consumer secret (cs_…)",
    isSecret: true,
  },
  tillgateUrl: {
    flag: "--tillgate-url",
    variable: "TILLGATE_API_URL",
    question: "The address of the Tillgate API",
    isSecret: false,
  },
  clientId: {
    flag: "--client-id",
    variable: "TILLGATE_CLIENT_ID",
    question: "The Tillgate client id",
    isSecret: false,
  },
  clientSecret: {
    flag: "--client-secret",
    variable: "TILLGATE_CLIENT_SECRET",
    question: "Its client secret",
    isSecret: true,
  },
  connectorUrl: {
    flag: "--connector-url",
    variable: "CONNECTOR_URL",
    question: "The connector's public address",
    isSecret: false,
  },
} satisfies Record<string, Wanted>;

function webAddress(text: string): string {
  const url = parseWebAddress(text);
  if (url === undefined) {
    throw new InvalidArgumentError("It must be an absolute http or https address.");
  }
  if (url.username !== "" || url.password !== "") throw new InvalidArgumentError("It must hold no password.");
  return withoutTrailingSlashes(text);
}

function storeName(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be 1 to 64 letters, digits, hyphens or underscores.");
}

const given = z.object({
  id: z.string(),
  mode: z.enum(["sandbox", "live"]),
  check: z.boolean().default(false),
  out: z.string().optional(),
  returnUrl: z.string().optional(),
  consumerKey: z.string().optional(),
  consumerSecret: z.string().optional(),
  clientId: z.string().optional(),
  clientSecret: z.string().optional(),
  tillgateUrl: z.string().optional(),
  connectorUrl: z.string().optional(),
});

function commandOf(write: (text: string) => void): Command {
  const command = new Command("connect")
    .description(
      "Connects a WooCommerce store to Tillgate: checks keys, currency, clocks and webhooks, makes the store's webhooks, and gives the connector's entry for the store. It may be run again at any time.",
    )
    .argument("<store url>", "the store's address, https://shop.example", webAddress)
    .option("--check", "look only: make and change nothing")
    .addOption(
      new Option("--id <name>", "the store's name at the connector").default("shop").argParser(storeName),
    )
    .addOption(
      new Option("--mode <mode>", "the credential's mode").choices(["sandbox", "live"]).default("sandbox"),
    )
    .option(
      "--return-url <address>",
      "where the shopper goes afterwards, with {order_id} and {order_key} in it",
    )
    .option("--out <file>", "add the entry to this file of CONNECTOR_STORES instead of printing it")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  for (const { flag, variable, question } of Object.values(wanted)) {
    command.addOption(new Option(`${flag} <text>`, question).env(variable));
  }
  return command;
}

/**
 * Reads flags and environment, and asks for what is missing.
 *
 * @returns null where only help was asked for
 * @throws UsageError
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
  const flags = given.parse(command.opts());
  const storeUrl = z.string().parse(command.processedArgs[0]);
  const missing: string[] = [];
  const read = async (name: keyof typeof wanted): Promise<string> => {
    const { question, isSecret, flag, variable } = wanted[name];
    const value = flags[name] || (await askPerson(question, isSecret)) || "";
    if (value === "") missing.push(`${flag} or ${variable}`);
    return value;
  };
  const values = {
    consumerKey: await read("consumerKey"),
    consumerSecret: await read("consumerSecret"),
    tillgateUrl: await read("tillgateUrl"),
    clientId: await read("clientId"),
    clientSecret: await read("clientSecret"),
    connectorUrl: await read("connectorUrl"),
  };
  if (missing.length > 0) throw new UsageError(`Not given: ${missing.join(", ")}.`);
  refuseSwapped(values);
  const addresses = {
    tillgateUrl: addressOf("--tillgate-url", values.tillgateUrl),
    connectorUrl: addressOf("--connector-url", values.connectorUrl),
    returnUrl: returnAddress(
      flags.returnUrl ?? `${storeUrl}/checkout/return?order={order_id}&key={order_key}`,
    ),
  };
  if (flags.mode === "live") refusePlainHttp(addresses);
  return {
    ...values,
    ...addresses,
    storeUrl,
    storeId: flags.id,
    mode: flags.mode,
    checkOnly: flags.check,
    out: flags.out ?? null,
  };
}

/** Before anything is sent or stored: an id stands in logs and on screens, where a secret must never be. */
function refuseSwapped(
  values: Record<"consumerKey" | "consumerSecret" | "clientId" | "clientSecret", string>,
) {
  const wrong =
    (!isNoSecret(values.clientId) && `${wanted.clientId.flag} ${SECRET_AS_ID}`) ||
    (!isNoClientId(values.clientSecret) && `${wanted.clientSecret.flag} ${ID_AS_SECRET}`) ||
    (values.consumerKey.startsWith("cs_") && `${wanted.consumerKey.flag} is a consumer secret`) ||
    (values.consumerSecret.startsWith("ck_") && `${wanted.consumerSecret.flag} is a consumer key`);
  if (wrong) throw new UsageError(`${wrong}. Nothing was stored.`);
}

/** What the connector would refuse at its start. */
function refusePlainHttp(addresses: Record<"tillgateUrl" | "connectorUrl" | "returnUrl", string>) {
  const flags = {
    tillgateUrl: "--tillgate-url",
    connectorUrl: "--connector-url",
    returnUrl: "--return-url",
  } as const;
  for (const name of ["tillgateUrl", "connectorUrl", "returnUrl"] as const)
    if (!isLiveAddress(addresses[name]))
      throw new UsageError(`${flags[name]} must be https in live mode. Nothing was stored.`);
}

function addressOf(flag: string, text: string): string {
  try {
    return webAddress(text);
  } catch {
    throw new UsageError(`${flag} must be an absolute http or https address.`);
  }
}

function returnAddress(text: string): string {
  if (text.includes("{order_id}") && text.includes("{order_key}")) return addressOf("--return-url", text);
  throw new UsageError("--return-url must hold {order_id} and {order_key}.");
}
