import { ErrorCode } from "@tillgate/contract";
import type { Command } from "commander";
import { z } from "zod";
import { verifyAudit } from "../../audit/verify.js";
import { verifyConfirmations } from "../../checkout/verify-confirmations.js";
import { OperationError } from "../../errors.js";
import { listAudit, MAX_AUDIT_LISTED } from "../../reports/audit.js";
import { addCommand, option, type Session } from "../command.js";
import { formatTime } from "../output.js";

const DEFAULT_LISTED = 50;

export function addAuditCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "show",
    summary: "Show audit records, newest first",
    input: z.object({
      merchant: option(
        "--merchant <merchant>",
        "only this merchant (ID or exact name)",
        z.string().optional(),
      ),
      subject: option("--subject <id>", "only changes to this ID", z.string().optional()),
      limit: option(
        "--limit <n>",
        `maximum number of records, up to ${MAX_AUDIT_LISTED}; default ${DEFAULT_LISTED}`,
        z
          .string()
          .refine((text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_AUDIT_LISTED, {
            error: `must be a whole number from 1 to ${MAX_AUDIT_LISTED}`,
          })
          .transform(Number)
          .optional(),
      ),
    }),
    examples: ["", '--merchant "Harbour Books" --limit 200 --json', "--subject PO7K2MQRTX"],
    run: async (context, input) => ({
      whenEmpty: "No audit records.",
      rows: (await listAudit(context, { ...input, limit: input.limit ?? DEFAULT_LISTED })).map((record) => ({
        at: formatTime(record.createdAt),
        chain: record.merchant ?? "(house)",
        number: record.number,
        administrator: record.administrator,
        action: record.action,
        subject: record.subject,
        details: record.details,
      })),
    }),
  });
  addCommand(group, session, {
    name: "verify",
    summary:
      "Verify that no audit record was changed, inserted or removed; removal of a chain's last records is detected only with --noted",
    input: z.object({
      noted: option(
        "--noted <hash>",
        "a hash stored earlier, which must still be in its chain",
        z.string().optional(),
      ),
    }),
    examples: ["", "--json"],
    async run(context, input) {
      const proof = await verifyAudit(context, { notedHash: input.noted });
      if (!proof.sound) throw new OperationError(ErrorCode.AuditBroken, { lines: proof.violations });
      return {
        whenEmpty: "No audit records yet.",
        rows: proof.chains.map((chain) => ({
          chain: chain.merchant ?? "(house)",
          merchant: chain.merchantId,
          records: chain.records,
          last_hash: chain.lastHash,
          sound: true,
        })),
      };
    },
  });
  addCommand(group, session, {
    name: "confirmations",
    summary: "Verify passkey signatures: who signed what, and that it matches what was paid",
    input: z.object({
      order: option("--order <order>", "only the payment of this order", z.string().optional()),
    }),
    examples: ["", "--order POS-20261124-7K2M9Q --json"],
    async run(context, input) {
      const { sound, violations, checked } = await verifyConfirmations(context, { orderId: input.order });
      if (!sound) throw new OperationError(ErrorCode.ConfirmationsBroken, { lines: violations });
      return {
        whenEmpty: "No payments confirmed with a passkey.",
        rows: checked === 0 ? [] : [{ checked, sound }],
      };
    },
  });
}
