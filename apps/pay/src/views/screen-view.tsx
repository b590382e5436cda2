import type { ReactNode } from "react";
import { REFUND_RETRY_SECONDS, RETRY_SECONDS, RETURN_SECONDS_WITHOUT_SCRIPT } from "../config";
import { texts } from "../texts";
import { Frame } from "./frame";
import { Message } from "./message";
import { Payable } from "./payable";
import type { Screen } from "./screen";
import { returnsByItself, Settled } from "./settled";
import { orderTitle } from "./summary";

/** Draws any screen. */
export function ScreenView({ screen }: { screen: Screen }): ReactNode {
  switch (screen.kind) {
    case "order":
      return <OrderScreen {...screen} />;
    case "not_found":
      return <NotFound />;
    case "unavailable":
      return (
        <Frame title={texts.unavailable.title} refresh={{ seconds: RETRY_SECONDS, url: null, always: true }}>
          <Message
            title={texts.unavailable.title}
            explanation={texts.unavailable.explanation}
            status="UNAVAILABLE"
            link={{ href: `/pay/${screen.token}`, text: texts.unavailable.retry, testId: "pay-retry" }}
          />
        </Frame>
      );
    case "refused":
      return (
        <Frame title={texts.refused.title}>
          <Message
            title={texts.refused.title}
            explanation={texts.refused[screen.why]}
            status="REFUSED"
            link={{ href: `/pay/${screen.token}`, text: texts.refused.back, testId: "pay-back" }}
          />
        </Frame>
      );
  }
}

export function NotFound(): ReactNode {
  return (
    <Frame title={texts.notFound.title}>
      <Message title={texts.notFound.title} explanation={texts.notFound.explanation} status="NOT_FOUND" />
    </Frame>
  );
}

function OrderScreen(props: Extract<Screen, { kind: "order" }>): ReactNode {
  const { view } = props;
  const { status, mode } = view.order;
  const refresh =
    status === "REFUND_PENDING"
      ? { seconds: REFUND_RETRY_SECONDS, url: null }
      : returnsByItself(view)
        ? { seconds: RETURN_SECONDS_WITHOUT_SCRIPT, url: view.return_to }
        : null;
  return (
    <Frame title={orderTitle(view)} sandbox={mode === "sandbox"} script refresh={refresh}>
      {status === "PENDING" ? <Payable {...props} /> : <Settled {...props} />}
    </Frame>
  );
}
