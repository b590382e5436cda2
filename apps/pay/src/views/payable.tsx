import type { ReactNode } from "react";
import { pageAddress } from "../http/page-address";
import { LostAnswer, NoticeBox } from "./notice-box";
import { OrderMain } from "./order-main";
import { PayPanel } from "./pay-panel";
import { ScanPanel } from "./scan-panel";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { Summary } from "./summary";
import { useWords } from "./use-words";

/** An order that can be paid: the amount, the way to pay here, and the code to pay elsewhere. */
export function Payable(screen: OrderScreen): ReactNode {
  const { texts } = useWords();
  const { token, view, notice } = screen;
  const { order, form_token } = view;
  return (
    <OrderMain token={token} view={view} className="payable">
      <Summary view={view} />
      <div className="card ways">
        <div className="here">
          <NoticeBox notice={notice} />
          <LostAnswer />
          <PayPanel {...screen} />
          {order.mode === "sandbox" ? <TestButtons token={token} view={view} /> : null}
        </div>
        <ScanPanel token={token} view={view} />
      </div>
      <div className="rest">
        <p className="without-script">
          <a href={pageAddress(token)}>{texts.order.checkAgain}</a>
        </p>
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
    </OrderMain>
  );
}

function TestButtons({ token, view }: Pick<OrderScreen, "token" | "view">): ReactNode {
  const { texts } = useWords();
  return (
    <section className="test" aria-labelledby="test-title">
      <h2 id="test-title">{texts.sandbox.title}</h2>
      <p>{texts.sandbox.explanation}</p>
      <div className="pair">
        <StepForm token={token} step="sandbox-approve" formToken={view.form_token}>
          <StepButton
            testId="pay-approve"
            kind="quiet"
            label={texts.sandbox.approve}
            busy={texts.sandbox.approveBusy}
          />
        </StepForm>
        <StepForm token={token} step="sandbox-decline" formToken={view.form_token}>
          <StepButton
            testId="pay-decline"
            kind="quiet"
            label={texts.sandbox.decline}
            busy={texts.sandbox.declineBusy}
          />
        </StepForm>
      </div>
    </section>
  );
}
