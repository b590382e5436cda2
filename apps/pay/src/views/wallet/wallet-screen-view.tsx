import type { ReactNode } from "react";
import { WALLET } from "#http/addresses.ts";
import { TextsProvider, useLocalization } from "#views/localization.tsx";
import { MessagePage } from "#views/message.tsx";
import { ActivityView } from "./activity";
import { HomeView } from "./home-view";
import { ConversionView, ConvertView, TopUpView } from "./money-view";
import { ReceiptView } from "./receipt-view";
import { SecurityView } from "./security-view";
import { ForgotPinView, NewView, SignInView } from "./sign-in-view";
import type { WalletScreen, WalletScreenProps } from "./wallet-screen";

export function WalletScreenView({ screen, ...locale }: WalletScreenProps): ReactNode {
  return (
    <TextsProvider {...locale}>
      <ScreenContent screen={screen} />
    </TextsProvider>
  );
}

function ScreenContent({ screen }: { screen: WalletScreen }): ReactNode {
  switch (screen.kind) {
    case "home":
      return <HomeView {...screen} />;
    case "sign_in":
      return <SignInView {...screen} />;
    case "activity":
      return <ActivityView {...screen} />;
    case "receipt":
      return <ReceiptView {...screen} />;
    case "security":
      return <SecurityView {...screen} />;
    case "new":
      return <NewView {...screen} />;
    case "forgot_pin":
      return <ForgotPinView {...screen} />;
    case "top_up":
      return <TopUpView {...screen} />;
    case "convert":
      return <ConvertView {...screen} />;
    case "conversion":
      return <ConversionView {...screen} />;
    default:
      return <MessageScreen {...screen} />;
  }
}

type MessageScreenProps = Extract<WalletScreen, { kind: "not_found" | "unavailable" | "rejected" }>;

function MessageScreen(screen: MessageScreenProps): ReactNode {
  const { texts } = useLocalization();
  const back = { href: WALLET, text: texts.account.back, testId: "wallet-back" };
  if (screen.kind === "unavailable") {
    const { title, retry } = texts.unavailable;
    return (
      <MessagePage
        title={title}
        explanation={texts.account.away}
        status="UNAVAILABLE"
        link={{ href: screen.address, text: retry, testId: "wallet-retry" }}
      />
    );
  }
  const message =
    screen.kind === "not_found"
      ? {
          title: texts.account.notFound.title,
          explanation: texts.account.notFound.explanation,
          status: "NOT_FOUND" as const,
        }
      : {
          title: texts.rejected.title,
          explanation: texts.rejected[screen.why],
          status: "REFUSED" as const,
        };
  return <MessagePage {...message} link={back} />;
}
