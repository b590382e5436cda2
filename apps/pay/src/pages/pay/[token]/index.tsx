import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { showOrder } from "../../../steps/show-order";
import type { Screen } from "../../../views/screen";
import { ScreenView } from "../../../views/screen-view";

export const config = { unstable_runtimeJS: false };

/** The hosted page of one order. */
export default function PayPage({ screen }: { screen: Screen }): ReactNode {
  return <ScreenView screen={screen} />;
}

export const getServerSideProps: GetServerSideProps<{ screen: Screen }> = async (context) => ({
  props: { screen: await showOrder(context) },
});
