import type { ReactElement } from "react";
import { priceOf } from "../amounts.js";
import type { NoteRow } from "../orders/notes.js";
import { type Order, statusNames } from "../orders/order.js";
import type { Refund } from "../orders/refunds.js";
import { Page } from "../shop/page.js";
import { OrderForms } from "./order-forms.js";
import { buyerOf, Moment, shown } from "./owner-pages.js";

function Items({ order, refunds }: { order: Order; refunds: Refund[] }): ReactElement {
  return (
    <section className="scroll" aria-label="Items">
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="number">
              Pieces
            </th>
            <th scope="col" className="number">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {order.items.map((item) => (
            <tr key={String(item.id)}>
              <td>{item.name}</td>
              <td className="number">{item.type === "line_item" ? item.quantity : ""}</td>
              <td className="number">{priceOf(item.total, order.currency)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Total</th>
            <td />
            <td className="number">
              <strong>{priceOf(order.total, order.currency)}</strong>
            </td>
          </tr>
          {refunds.map((refund) => (
            <tr key={String(refund.id)} data-testid="owner-refund">
              <td>
                Refund {String(refund.id)}
                {refund.reason === "" ? "" : `: ${refund.reason}`}
              </td>
              <td />
              <td className="number">{priceOf(-refund.amount, order.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** WooCommerce keeps notes as HTML text; the arrow is the one sign in them that the shop itself writes so. */
const plainNote = (note: string): string => note.replaceAll("&rarr;", "→");

function Timeline({ notes }: { notes: NoteRow[] }): ReactElement {
  return (
    <ul className="timeline" data-testid="owner-notes">
      {notes.map((note) => (
        <li key={String(note.id)}>
          <time dateTime={note.created_at.toISOString()}>
            {shown(note.created_at)} · {note.author}
          </time>
          {plainNote(note.note)}
        </li>
      ))}
    </ul>
  );
}

export interface OwnerOrderProps {
  order: Order;
  refunds: Refund[];
  notes: NoteRow[];
  formToken: string;
  notice?: string | undefined;
}

/** One order, with all that is known of it. */
export function OwnerOrderPage({ order, refunds, notes, formToken, notice }: OwnerOrderProps): ReactElement {
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
        <div>
          <dt>Made</dt>
          <dd>
            <Moment date={order.created_at} />
          </dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd>{order.paid_at ? <Moment date={order.paid_at} /> : "–"}</dd>
        </div>
        <div>
          <dt>Method</dt>
          <dd>{order.payment_method_title || "–"}</dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd>{order.transaction_id || "–"}</dd>
        </div>
        <div>
          <dt>Buyer</dt>
          <dd>
            {buyerOf(order) || "–"}
            {order.billing.email ? (
              <>
                <br />
                {order.billing.email}
              </>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            {[order.billing.address_1, `${order.billing.postcode} ${order.billing.city}`.trim()]
              .filter((part) => part !== "")
              .join(", ") || "–"}
          </dd>
        </div>
      </dl>
      {order.customer_note === "" ? null : <p>“{order.customer_note}”</p>}
      <h2>Items</h2>
      <Items order={order} refunds={refunds} />
      <OrderForms order={order} refunds={refunds} formToken={formToken} />
      <h2>What happened</h2>
      {notes.length === 0 ? <p>Nothing yet.</p> : <Timeline notes={notes} />}
    </Page>
  );
}
