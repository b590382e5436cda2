import {
  AUDIT_EXPORT_COLUMNS,
  auditCheckQuerySchema,
  auditExportQuerySchema,
  auditQuerySchema,
  confirmationsCheckQuerySchema,
} from "@tillgate/contract";
import type { Router } from "express";
import { z } from "zod";
import { verifyAudit } from "../../../audit/verify.js";
import { verifyConfirmations } from "../../../checkout/verify-confirmations.js";
import type { Context } from "../../../context.js";
import type { Availability } from "../../../platform/availability.js";
import type { Cell } from "../../../platform/csv.js";
import { exportAudit, type ListedAudit, listAudit } from "../../../reports/audit.js";
import { readHealth } from "../../../reports/health.js";
import { listProofs, requestProof, type StoredProof } from "../../../reports/ledger-proofs.js";
import { createExportSink, EXPORT_FORMATS } from "../../shared/export-sinks.js";
import { parse } from "../../shared/parse.js";
import { serve, succeed } from "../../shared/routes.js";
import { toTime, wireTime } from "../../shared/shapes.js";
import { readTimeZone, withAdministrator } from "../caller.js";

const detailsSchema = z.record(z.string(), z.unknown());

const toRecord = (record: ListedAudit) => ({
  record_id: String(record.id),
  at: wireTime(record.createdAt),
  merchant: record.merchant,
  number: record.number,
  by: record.administrator,
  action: record.action,
  subject: record.subject,
  details: detailsSchema.parse(JSON.parse(record.details)),
  hash: record.hash,
});

/** Formats an audit record as a row of the export, including the hashes that verify the audit chain. */
const toAuditRow = async (
  record: ListedAudit,
): Promise<Record<(typeof AUDIT_EXPORT_COLUMNS)[number], Cell>> => ({
  record_id: String(record.id),
  at: record.createdAt,
  merchant_id: record.merchantId,
  merchant: record.merchant,
  number: String(record.number),
  by: record.administrator,
  action: record.action,
  subject: record.subject,
  details: record.details,
  previous_hash: record.previousHash,
  hash: record.hash,
});

const toProof = ({ id, requestedBy, faults, sound, error, ...proof }: StoredProof) => ({
  proof_id: id,
  requested_by: requestedBy,
  requested_at: wireTime(proof.requestedAt),
  started_at: toTime(proof.startedAt),
  finished_at: toTime(proof.finishedAt),
  sound,
  faults: faults ?? [],
  error,
});

export function serveOversight(
  router: Router,
  context: Context,
  availability: Pick<Availability, "clock" | "reason">,
): void {
  const administrator = withAdministrator(context);

  serve(router, "/administration/audit", {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const { per_page: size, ...filter } = parse(auditQuerySchema, request.query);
      const listed = await listAudit(context, { ...filter, limit: size + 1 });
      const records = listed.slice(0, size).map(toRecord);
      const next = listed.length > size ? (records.at(-1)?.record_id ?? null) : null;
      succeed(response, "Audit records retrieved", { records, next });
    }),
  });

  for (const format of EXPORT_FORMATS)
    serve(router, `/administration/audit.${format}`, {
      get: administrator({ fresh: false }, async (_by, request, response) => {
        const timeZone = readTimeZone(request);
        const { dialect, ...query } = parse(auditExportQuerySchema, request.query);
        const file = { format, name: "audit", columns: AUDIT_EXPORT_COLUMNS, dialect, timeZone };
        const sink = createExportSink<ListedAudit>(response, file, toAuditRow);
        await exportAudit(context, query, sink);
        sink.end();
      }),
    });

  serve(router, "/administration/audit/check", {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const { noted: notedHash } = parse(auditCheckQuerySchema, request.query);
      const { sound, violations, chains, foundNoted } = await verifyAudit(context, { notedHash });
      succeed(response, "Audit chains checked", {
        sound,
        violations,
        chains: chains.map(({ merchant, records, lastHash }) => ({
          merchant,
          records,
          last_hash: lastHash,
        })),
        found_noted: foundNoted,
      });
    }),
  });

  serve(router, "/administration/audit/confirmations", {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const { order: orderId } = parse(confirmationsCheckQuerySchema, request.query);
      succeed(response, "Confirmations checked", await verifyConfirmations(context, { orderId }));
    }),
  });

  serve(router, "/administration/proofs", {
    get: administrator({ fresh: false }, async (_by, _request, response) => {
      const proofs = await listProofs(context);
      succeed(response, "Proofs retrieved", { proofs: proofs.map(toProof) });
    }),
    post: administrator({ fresh: true }, async (by, _request, response) => {
      const { id, alreadyOpen } = await requestProof(context, by);
      succeed(response, "Proof requested", { proof_id: id, already_open: alreadyOpen });
    }),
  });

  serve(router, "/administration/health", {
    get: administrator({ fresh: false }, async (_by, _request, response) => {
      const { endpoints, mails, backup, archiving, ...health } = await readHealth(context);
      succeed(response, "Health retrieved", {
        clock_offset_ms: availability.clock.offsetMs ?? null,
        database_trouble: availability.reason ?? null,
        overdue_orders: health.overdueOrders,
        expiry_failures: health.expiryFailures,
        deliveries: {
          due: health.due,
          retrying: health.retrying,
          leased: health.leased,
          overdue_seconds: health.overdueSeconds,
        },
        endpoints: endpoints.map(({ id, merchantId, merchant, mode, address, ...failing }) => ({
          receiver_id: id,
          merchant_id: merchantId,
          merchant,
          mode,
          address,
          failures_in_row: failing.failuresInRow,
          failing_since: toTime(failing.failingSince),
          disabled_at: toTime(failing.disabledAt),
        })),
        mails: { waiting: mails.waiting, given_up: mails.given_up },
        backup: backup && {
          finished_at: wireTime(backup.finishedAt),
          error: backup.error,
          proved_at: toTime(backup.verifiedAt),
        },
        archiving: archiving && {
          archived_at: toTime(archiving.archivedAt),
          failing_since: toTime(archiving.failingSince),
          waiting_segments: archiving.waitingSegments,
        },
        unfolded_counts: health.unfolded,
        waiting: { payouts: health.payouts, refunds: health.refunds, requests: health.requests },
      });
    }),
  });
}
