import {
  HEALTH_LIMITS,
  healthResponseSchema,
  ledgerProofRequestedResponseSchema,
  ledgerProofsResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { merchantPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { LedgerProofs, type Proof } from "#views/ledger-proofs.tsx";
import { Badge, Card, Empty, Facts, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Health = z.infer<typeof healthResponseSchema>["data"];
type Props = Health & { proofs: Proof[] };
const TROUBLE_PROBLEMS = { silent: "unavailable", full: "database_full", busy: "database_busy" } as const;

const isOlder = (at: string | null | undefined, hours: number): boolean =>
  !at || Date.now() - Date.parse(at) >= hours * 3_600_000;

/** Returns the state of backups. @param isArchived whether this PostgreSQL archives its WAL; if not, a missing backup is not a problem */
function getBackupState(backup: Health["backup"], isArchived: boolean): "good" | "failed" | "old" | "never" {
  if (backup === null) return isArchived ? "never" : "good";
  if (backup.error !== null) return "failed";
  return isOlder(backup.proved_at, HEALTH_LIMITS.backupAgeHours) ? "old" : "good";
}

export default function HealthPage({
  clock_offset_ms: clock,
  database_trouble: trouble,
  overdue_orders,
  expiry_failures,
  deliveries,
  endpoints,
  mails,
  unfolded_counts,
  waiting,
  backup,
  archiving,
  proofs,
}: Props): ReactNode {
  const { t, f } = usePage();
  const waits = waiting.payouts + waiting.refunds + waiting.requests;
  const late =
    deliveries.overdue_seconds > HEALTH_LIMITS.deliveryDelaySeconds ||
    expiry_failures > 0 ||
    mails.given_up > 0;
  const isArchiveBehind =
    archiving !== null &&
    (archiving.failing_since !== null || (archiving.waiting_segments ?? 0) > HEALTH_LIMITS.waitingSegments);
  const backupState = getBackupState(backup, archiving !== null);
  const proof = proofs.find(({ finished_at }) => finished_at !== null);
  const findWorst = () => {
    if (trouble !== null) return "database";
    if (proof?.sound === false) return "ledger";
    if (clock !== null && Math.abs(clock) > HEALTH_LIMITS.clockOffsetMs) return "clockOff";
    if (isArchiveBehind || backupState !== "good") return "backup";
    if (typeof proof?.sound !== "boolean" || isOlder(proof.finished_at, HEALTH_LIMITS.proofAgeHours))
      return "unverified";
    return late ? "late" : "good";
  };
  const worst = findWorst();
  return (
    <AdminFrame title={t("admin.health.title")}>
      <p className={`box ${worst === "good" ? "good" : "bad"}`} data-testid="health">
        {t(`admin.health.${worst}`, {
          hours: HEALTH_LIMITS.proofAgeHours,
          seconds: Math.round(Math.abs(clock ?? 0) / 1_000),
        })}
      </p>
      {trouble === null ? null : (
        <p className="box bad" role="alert" data-testid="database-trouble">
          {t(`problem.${TROUBLE_PROBLEMS[trouble]}.title`)}. {t("admin.health.trouble")}
        </p>
      )}
      {waits > 0 ? (
        <p className="box note">
          {t("admin.health.waiting", { count: waits })}{" "}
          <a href="/admin/approvals">{t("admin.nav.approvals")}</a>
        </p>
      ) : null}
      <LedgerProofs proofs={proofs} />
      <Card title={t("admin.backup.title")} testId="backup">
        {isArchiveBehind ? (
          <p className="box bad" role="alert" data-testid="archiving">
            {t("admin.backup.archive")}{" "}
            {archiving.archived_at === null ? null : (
              <>
                {t("admin.backup.archivedUntil")} <Time at={archiving.archived_at} />
              </>
            )}
          </p>
        ) : null}
        {backup === null && backupState === "good" ? (
          <p>{t("admin.backup.none")}</p>
        ) : (
          <p className={`box ${backupState === "good" ? "good" : "bad"}`}>
            {t(`admin.backup.${backupState}`, {
              error: backup?.error ?? "",
              hours: HEALTH_LIMITS.backupAgeHours,
            })}
          </p>
        )}
        {backup === null ? null : (
          <p className="soft">
            <Time at={backup.finished_at} />
          </p>
        )}
      </Card>
      <Card title={t("admin.health.queues")}>
        <Facts
          rows={[
            [t("admin.health.due"), f.number(deliveries.due)],
            [
              t("admin.health.oldest"),
              t("admin.health.seconds", { count: Math.round(deliveries.overdue_seconds) }),
            ],
            [t("admin.health.retrying"), f.number(deliveries.retrying)],
            [t("admin.health.inProgress"), f.number(deliveries.leased)],
            [t("admin.health.overdueOrders"), f.number(overdue_orders)],
            [t("admin.health.expiryFailures"), f.number(expiry_failures)],
            [
              t("admin.health.mails"),
              t("admin.health.mailsText", { waiting: mails.waiting, failed: mails.given_up }),
            ],
            [t("admin.health.counts"), f.number(unfolded_counts)],
            [
              t("admin.health.clock"),
              clock === null ? null : t("admin.health.milliseconds", { count: Math.round(clock) }),
            ],
          ]}
        />
      </Card>
      {endpoints.length === 0 ? (
        <Empty title={t("admin.health.noEndpoints")} />
      ) : (
        <Card title={t("admin.health.endpoints")}>
          <Table
            caption={t("admin.health.endpoints")}
            rows={endpoints}
            keyOf={({ receiver_id }) => receiver_id}
            columns={[
              {
                title: t("admin.merchant"),
                cell: ({ merchant_id, mode, receiver_id, merchant }) => (
                  <a
                    href={merchantPath(
                      merchant_id,
                      mode === "live" ? "live" : "sandbox",
                      "webhooks",
                      receiver_id,
                    )}
                  >
                    {merchant}
                  </a>
                ),
              },
              { title: t("admin.health.address"), cell: ({ address }) => address },
              {
                title: t("list.status"),
                cell: ({ disabled_at }) => <Badge status={disabled_at === null ? "failing" : "disabled"} />,
              },
              {
                title: t("admin.health.failures"),
                cell: ({ failures_in_row }) => f.number(failures_in_row),
                number: true,
              },
              {
                title: t("admin.health.since"),
                cell: ({ failing_since: at }) => (at === null ? "" : <Time at={at} />),
              },
            ]}
          />
        </Card>
      )}
    </AdminFrame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read }) => {
    const [health, { proofs }] = await Promise.all([
      read("/administration/health", healthResponseSchema),
      read("/administration/proofs", ledgerProofsResponseSchema),
    ]);
    return { ...health, proofs };
  },
  actions: {
    prove: async ({ change }) => {
      await change("/administration/proofs", ledgerProofRequestedResponseSchema);
      return { to: "/admin#proof" };
    },
  },
});
