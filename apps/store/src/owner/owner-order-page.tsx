import type { ReactElement } from "react";
import { formatPrice } from "../amounts.js";
import type { NoteRow } from "../orders/notes.js";
import { type Order, statusNames } from "../orders/order.js";
import type { Refund } from "../orders/refunds.js";
import { Fact } from "../shop/order-summary.js";
import { Page } from "../shop/page.js";
import { OrderForms } from "./order-forms.js";
import { buyerName, formatTime, Moment, NumberColumn } from "./owner-pages.js";

function Items({ order, refunds }: { order: Order; refunds: Refund[] }): ReactElement {
  return (
    <section className="scroll" aria-label="Items">
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <NumberColumn name="Quantity" />
            <NumberColumn name="Total" />
          </tr>
        </thead>
        <tbody>
          {order.items.map((item) => (
            <tr key={String(item.id)}>
              <td>{item.name}</td>
              <td className="number">{item.type === "line_item" ? item.quantity : ""}</td>
              <td className="number">{formatPrice(item.total, order.currency)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Total</th>
            <td />
            <td className="number">
              <strong>{formatPrice(order.total, order.currency)}</strong>
            </td>
          </tr>
          {refunds.map((refund) => (
            <tr key={String(refund.id)} data-testid="owner-refund">
              <td>
                Refund {String(refund.id)}
                {refund.reason === "" ? "" : `: ${refund.reason}`}
              </td>
              <td />
              <td className="number">{formatPrice(-refund.amount, order.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Decodes a note, which WooCommerce stores as HTML. The arrow is the only entity that the shop writes. */
const decodeNote = (note: string): string => note.replaceAll("&rarr;", "→");

function Timeline({ notes }: { notes: NoteRow[] }): ReactElement {
  return (
    <ul className="timeline" data-testid="owner-notes">
      {notes.map((note) => (
        <li key={String(note.id)}>
          <time dateTime={note.created_at.toISOString()}>
            {formatTime(note.created_at)} · {note.author}
          </time>
          {decodeNote(note.note)}
        </li>
      ))}
    </ul>
  );
}

export type OwnerOrderProps = {
  order: Order;
  refunds: Refund[];
  notes: NoteRow[];
  formToken: string;
  notice?: string | undefined;
};

export function OwnerOrderPage({ order, refunds, notes, formToken, notice }: OwnerOrderProps): ReactElement {
  const { email, address_1, postcode, city } = order.billing;
  const address = [address_1, `${postcode} ${city}`.trim()].filter((part) => part !== "").join(", ");
  return (
    <Page title={`Order ${order.id}`} owner>
      <p className="crumbs">
        <a href="/owner">All orders</a>
      </p>
      <h1>
        Order {String(order.id)}{" "}
        <span className={`status ${order.status}`} data-testid="owner-order-status">
          {statusNames[order.status]}
        </span>
      </h1>
      {notice === undefined ? null : (
        <p className="notice" role="status" data-testid="notice">
          {notice}
        </p>
      )}
      <dl className="facts">
        <Fact name="Placed">
          <Moment date={order.created_at} />
        </Fact>
        <Fact name="Paid">{order.paid_at ? <Moment date={order.paid_at} /> : "–"}</Fact>
        <Fact name="Method">{order.payment_method_title || "–"}</Fact>
        <Fact name="Transaction">{order.transaction_id || "–"}</Fact>
        <Fact name="Customer">
          {buyerName(order) || "–"}
          <br />
          {email}
        </Fact>
        <Fact name="Address">{address || "–"}</Fact>
      </dl>
      {order.customer_note === "" ? null : <p>“{order.customer_note}”</p>}
      <h2>Items</h2>
      <Items order={order} refunds={refunds} />
      <OrderForms order={order} refunds={refunds} formToken={formToken} />
      <h2>Timeline</h2>
      {notes.length === 0 ? <p>Nothing yet.</p> : <Timeline notes={notes} />}
    </Page>
  );
}
