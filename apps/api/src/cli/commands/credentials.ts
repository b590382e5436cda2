import { consoleCredentialRequestSchema, FieldRule } from "@tillgate/contract";
import type { Command } from "commander";
import { z } from "zod";
import {
  issueCredential,
  revokeCredentialAs,
  rotateCredentialAs,
} from "../../identity/credentials/change.js";
import { listCredentials } from "../../identity/credentials/list.js";
import { CREDENTIAL_KINDS, type IssuedCredential } from "../../identity/credentials/manage.js";
import {
  addCommand,
  argument,
  changeFields,
  merchant,
  mode,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { formatTime, type Row } from "../output.js";

const credential = argument("<credential>", "credential ID, as shown by `credentials list`", z.string());
const COPY_NOTE = " Copy the secret now; it will not be shown again.";

/** Omits the secret after a dry run, because that secret is not stored and does not work. */
const toRow = (issued: IssuedCredential, dryRun: boolean | undefined): Row => ({
  credential: issued.id,
  mode: issued.mode,
  kind: issued.kind,
  client_id: issued.clientId,
  ...(dryRun ? {} : { secret: issued.secret }),
});

export function addCredentialCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List a merchant's API keys; secrets are not shown",
    input: z.object({ merchant }),
    examples: ['"Harbour Books"'],
    run: async (context, input) => ({
      whenEmpty: "No API keys.",
      rows: (await listCredentials(context, input)).map((row) => ({
        credential: row.id,
        mode: row.mode,
        kind: row.kind,
        name: row.name,
        client_id: row.clientId,
        read_only: row.readOnly,
        order_only: row.orderOnly,
        reports_only: row.reportsOnly,
        created_by: row.createdBy,
        standing: row.standing,
        created: formatTime(row.createdAt),
        expires: row.expiresAt && formatTime(row.expiresAt),
        last_used: row.lastUsedAt && formatTime(row.lastUsedAt),
      })),
    }),
  });
  addCommand(group, session, {
    name: "create",
    summary: "Create an API key; existing keys keep working",
    input: z.object({
      merchant,
      mode,
      kind: option(
        "--kind <kind>",
        "client (Pay API) or api_token (Partner API) (required)",
        z.enum(CREDENTIAL_KINDS, { error: "must be client or api_token" }),
      ),
      name: option("--name <name>", "display name", consoleCredentialRequestSchema.shape.name),
      readOnly: option("--read-only", "read-only access", z.boolean().optional()),
      orderOnly: option(
        "--order-only",
        "access limited to creating and cancelling orders",
        z.boolean().optional(),
      ),
      reportsOnly: option("--reports-only", "access limited to reading reports", z.boolean().optional()),
      ...changeFields,
    }),
    examples: ['"Harbour Books" --mode live --kind client --by administrator@example.com'],
    async run(context, input) {
      const created = await issueCredential(context, {
        ...input,
        ...(await resolveActor(context, input)),
        role: "administrator",
      });
      return {
        message: `API key created.${input.dryRun ? "" : COPY_NOTE}`,
        row: toRow(created, input.dryRun),
      };
    },
  });
  addCommand(group, session, {
    name: "rotate",
    summary: "Rotate an API key's secret; by default, the old one works for another day",
    input: z.object({
      credential,
      overlapSeconds: option(
        "--overlap-seconds <n>",
        "seconds the old secret keeps working (0 if it leaked); default 86400",
        z
          .string()
          .regex(/^\d{1,7}$/, { error: FieldRule.WholeSeconds.text })
          .transform(Number)
          .optional(),
      ),
      ...changeFields,
    }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by administrator@example.com"],
    async run(context, input) {
      const rotated = await rotateCredentialAs(context, {
        ...input,
        ...(await resolveActor(context, input)),
        role: "administrator",
      });
      return {
        message: `Secret rotated.${input.dryRun ? "" : COPY_NOTE}`,
        row: {
          ...toRow(rotated, input.dryRun),
          replaces: rotated.replacedId,
          old_secret_works_until: formatTime(rotated.oldSecretExpiresAt),
        },
      };
    },
  });
  addCommand(group, session, {
    name: "revoke",
    summary: "Revoke an API key permanently; takes effect within seconds",
    input: z.object({ credential, ...changeFields }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by administrator@example.com"],
    async run(context, input) {
      const { revoked } = await revokeCredentialAs(context, {
        ...(await resolveActor(context, input)),
        credential: input.credential,
        role: "administrator",
      });
      return {
        message: revoked ? "API key revoked." : "The API key was already revoked. Nothing was changed.",
        row: { credential: input.credential, changed: revoked },
      };
    },
  });
}
