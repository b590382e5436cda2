import type { MerchantModel } from "@tillgate/database";
import type { Command } from "commander";
import { z } from "zod";
import {
  createMerchant,
  listMerchants,
  type MerchantChange,
  resumeMerchant,
  setNoticeEmail,
  setPartnerApi,
  setRateLimits,
  setRefundApproval,
  showMerchant,
  suspendMerchant,
} from "../../administration/merchants.js";
import {
  addCommand,
  argument,
  changeFields,
  merchant,
  onOff,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { formatMoney, formatTime, type Row } from "../output.js";
import { addBrandCommand } from "./branding.js";

const toRow = (row: MerchantModel): Row => ({
  merchant: row.id,
  name: row.name,
  suspended: row.suspendedAt ? formatTime(row.suspendedAt) : null,
  partner_api: row.partnerApiEnabled,
  refunds_need_approval: row.refundsNeedApproval,
  pay_per_minute: row.payRequestsPerMinute,
  partner_per_minute: row.partnerRequestsPerMinute,
  notice_email: row.noticeEmail,
  created: formatTime(row.createdAt),
});

const describeChange = (
  { merchant: result, changed }: MerchantChange,
  change: string,
): { message: string; row: Row } => ({
  message: changed ? `${result.name} ${change}.` : `${result.name} is unchanged.`,
  row: { ...toRow(result), changed },
});

const NO_MAIL =
  "Mail is not configured (TILLGATE_SMTP_URL and TILLGATE_MAIL_FROM, or TILLGATE_MAIL_FOLDER): until it is, notifications only appear in the console and in `webhooks timeline`.";

const perMinute = z
  .string()
  .refine((text) => /^(default|[1-9]\d{0,6})$/.test(text), { error: "must be a whole number or default" })
  .transform((text) => (text === "default" ? null : Number(text)));

export function addMerchantCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "create",
    summary: "Create a merchant; open wallets and create API keys separately",
    input: z.object({
      name: argument("<name>", "name shown on the payment page", z.string()),
      ...changeFields,
    }),
    examples: ['"Harbour Books" --by administrator@example.com'],
    async run(context, input) {
      const created = await createMerchant(context, {
        ...(await resolveActor(context, input)),
        name: input.name,
      });
      return { message: `Merchant ${created.name} created.`, row: toRow(created) };
    },
  });
  addCommand(group, session, {
    name: "list",
    summary: "List merchants, sorted by name",
    input: z.object({
      search: option(
        "--search <text>",
        "only names that contain this text (case-insensitive)",
        z.string().optional(),
      ),
    }),
    examples: ["", "--search harbour --json"],
    async run(context, input) {
      return { whenEmpty: "No merchants.", rows: (await listMerchants(context, input)).map(toRow) };
    },
  });
  addCommand(group, session, {
    name: "show",
    summary: "Show a merchant with its wallets",
    input: z.object({ merchant }),
    examples: ['"Harbour Books"'],
    async run(context, input) {
      const { merchant: result, wallets, credentials } = await showMerchant(context, input);
      const balances = wallets.map(({ mode, balance, held, closed }) => [
        `${mode} ${balance.currency.code}`,
        `${formatMoney(balance)} (held: ${formatMoney(held)})${closed ? ", closed" : ""}`,
      ]);
      return {
        message: result.name,
        row: { ...toRow(result), credentials, ...Object.fromEntries(balances) },
      };
    },
  });
  addCommand(group, session, {
    name: "suspend",
    summary:
      "Suspend a merchant: its API keys are rejected and its orders cannot be paid until it is resumed",
    input: z.object({ merchant, ...changeFields }),
    examples: ['"Harbour Books" --by administrator@example.com'],
    run: async (context, input) =>
      describeChange(
        await suspendMerchant(context, { ...input, ...(await resolveActor(context, input)) }),
        "is suspended",
      ),
  });
  addCommand(group, session, {
    name: "resume",
    summary: "End a merchant's suspension",
    input: z.object({ merchant, ...changeFields }),
    examples: ['"Harbour Books" --by administrator@example.com'],
    run: async (context, input) =>
      describeChange(
        await resumeMerchant(context, { ...input, ...(await resolveActor(context, input)) }),
        "is active again",
      ),
  });
  addCommand(group, session, {
    name: "partner-api",
    summary: "Turn a merchant's Partner API on or off",
    input: z.object({ merchant, state: argument("<state>", "on or off", onOff), ...changeFields }),
    examples: ['"Harbour Books" on --by administrator@example.com'],
    run: async (context, input) =>
      describeChange(
        await setPartnerApi(context, {
          ...(await resolveActor(context, input)),
          merchant: input.merchant,
          enabled: input.state === "on",
        }),
        `has the Partner API ${input.state}`,
      ),
  });
  addCommand(group, session, {
    name: "refund-approval",
    summary: "Turn approval of a merchant's refunds on or off",
    input: z.object({ merchant, state: argument("<state>", "on or off", onOff.clone()), ...changeFields }),
    examples: ['"Harbour Books" on --by administrator@example.com'],
    run: async (context, input) =>
      describeChange(
        await setRefundApproval(context, {
          ...(await resolveActor(context, input)),
          merchant: input.merchant,
          needed: input.state === "on",
        }),
        `has refund approval ${input.state}`,
      ),
  });
  addCommand(group, session, {
    name: "notice-email",
    summary: "Set the contact for a merchant's webhook notifications",
    input: z.object({
      merchant,
      email: argument("<e-mail>", 'an address, or "default" for the merchant\'s console users', z.string()),
      ...changeFields,
    }),
    examples: [
      '"Harbour Books" webmaster@harbour.example --by administrator@example.com',
      '"Harbour Books" default --by administrator@example.com',
    ],
    async run(context, input) {
      const { email } = input;
      const { message, row } = describeChange(
        await setNoticeEmail(context, {
          ...(await resolveActor(context, input)),
          merchant: input.merchant,
          email: email === "default" ? null : email,
        }),
        `gets its webhook notifications at ${email === "default" ? "its console users' addresses" : email}`,
      );
      const { mail, mailFolder } = context.config;
      const configured = mail !== undefined || mailFolder !== undefined;
      return {
        message: configured ? message : `${message} ${NO_MAIL}`,
        row: { ...row, mail_configured: configured },
      };
    },
  });
  addBrandCommand(group, session);
  addCommand(group, session, {
    name: "rate-limits",
    summary: "Set a merchant's rate limits, in requests per minute",
    input: z.object({
      merchant,
      pay: option(
        "--pay <n>",
        'Pay API: a whole number, or "default" for the API\'s limit',
        perMinute.optional(),
      ),
      partner: option(
        "--partner <n>",
        'Partner API: a whole number, or "default" for the API\'s limit',
        perMinute.optional(),
      ),
      ...changeFields,
    }),
    examples: ['"Harbour Books" --pay 1200 --partner default --by administrator@example.com'],
    run: async (context, input) =>
      describeChange(
        await setRateLimits(context, { ...input, ...(await resolveActor(context, input)) }),
        "has new rate limits",
      ),
  });
}
