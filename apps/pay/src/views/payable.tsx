import type { ReactNode } from "react";
import { pageAddress } from "../http/page-address";
import { LostAnswer, NoticeBox } from "./notice-box";
import { OrderMain } from "./order-main";
import { PayPanel } from "./pay-panel";
import { ScanPanel } from "./scan-panel";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { Summary } from "./summary";
import { TestButtons } from "./test-buttons";
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
          {order.mode === "sandbox" ? <TestButtons token={token} formToken={form_token} /> : null}
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
