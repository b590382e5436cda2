import type { ReactNode } from "react";
import { texts } from "../texts";
import { NoticeBox } from "./notice-box";
import { PayPanel, type PayPanelProps } from "./pay-panel";
import { ScanPanel } from "./scan-panel";
import { StepButton, StepForm } from "./step-form";
import { Summary } from "./summary";

/** An order that can be paid: what is asked for, the way to pay here, and the code to pay elsewhere. */
export function Payable({ token, view, notice }: PayPanelProps): ReactNode {
  const { order, form_token } = view;
  return (
    <main
      className="page payable"
      data-token={token}
      data-order-status={order.status}
      data-version={order.version}
    >
      <div className="top">
        <Summary view={view} />
        <NoticeBox notice={notice} />
      </div>
      <PayPanel token={token} view={view} notice={notice} />
      {order.mode === "sandbox" ? (
        <section className="card test" aria-labelledby="test-title">
          <h2 id="test-title">{texts.sandbox.title}</h2>
          <p>{texts.sandbox.explanation}</p>
          <div className="pair">
            <StepForm token={token} step="sandbox-approve" formToken={form_token}>
              <StepButton
                testId="pay-approve"
                kind="quiet"
                label={texts.sandbox.approve}
                busy={texts.sandbox.approveBusy}
              />
            </StepForm>
            <StepForm token={token} step="sandbox-decline" formToken={form_token}>
              <StepButton
                testId="pay-decline"
                kind="quiet"
                label={texts.sandbox.decline}
                busy={texts.sandbox.declineBusy}
              />
            </StepForm>
          </div>
        </section>
      ) : null}
      <ScanPanel view={view} />
      <div className="rest">
        <noscript>
          <p>
            <a href={`/pay/${token}`}>{texts.order.checkAgain}</a>
          </p>
        </noscript>
        <details className="cancel">
          <summary data-testid="pay-cancel-open">{texts.cancel.open}</summary>
          <p>{texts.cancel.question}</p>
          <StepForm token={token} step="cancel" formToken={form_token}>
            <StepButton
              testId="pay-cancel"
              kind="danger"
              label={texts.cancel.confirm}
              busy={texts.cancel.busy}
            />
          </StepForm>
        </details>
      </div>
    </main>
  );
}
