import type { ledgerProofSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Following } from "./following";
import { Button, Form, SecondFactorField } from "./form";
import { Card, Time } from "./parts";
import { usePage } from "./use-page";

export type Proof = z.infer<typeof ledgerProofSchema>;

export function LedgerProofs({ proofs }: { proofs: readonly Proof[] }): ReactNode {
  const { t } = usePage();
  const open = proofs.find(({ finished_at }) => finished_at === null);
  const last = proofs.find(({ finished_at }) => finished_at !== null);
  return (
    <Card id="proof" title={t("admin.proof.title")} testId="proof">
      {open ? (
        <Following>
          <p className="box note">{t("admin.proof.running")}</p>
        </Following>
      ) : null}
      {last ? <Result proof={last} /> : <p>{t("admin.proof.none")}</p>}
      {open ? null : (
        <Form action="prove">
          <SecondFactorField />
          <div className="tools">
            <Button kind="quiet" testId="prove">
              {t("admin.proof.run")}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}

function Result({ proof }: { proof: Proof }): ReactNode {
  const { t } = usePage();
  const { sound, faults, error, requested_by, started_at, finished_at } = proof;
  const seconds = Math.round((Date.parse(finished_at ?? "") - Date.parse(started_at ?? "")) / 1000);
  const text = sound === null ? "admin.proof.failed" : sound ? "admin.proof.sound" : "admin.proof.broken";
  return (
    <>
      <div className={`box ${sound ? "good" : "bad"}`}>
        <p>{t(text, { error: error ?? "" })}</p>
        {faults.length === 0 ? null : (
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        )}
      </div>
      <p className="soft">
        {finished_at === null ? null : <Time at={finished_at} />} ·{" "}
        {t("admin.proof.took", { count: Math.max(0, seconds || 0) })} ·{" "}
        {requested_by ?? t("admin.proof.nightly")}
      </p>
    </>
  );
}
