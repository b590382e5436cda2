<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\WireNumber;
use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\Attempt;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** Something that happened to a payment, from any source: a webhook, the sweep, a status check. */
final class Fact
{
    private const ORDER_EVENTS = ['pos.order.paid', 'pos.order.expired', 'pos.order.cancelled', 'pos.order.refunded'];
    private const REFUND_EVENTS = ['refund.completed', 'refund.failed'];

    private const STATUSES = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED'];
    /** Names that a later version may add to are none of ours; of these families every one must be understood. */
    private const FAMILIES = '/^(pos\.order\.|refund\.)/';

    /** @var string An event's name, or `store.changed`. */
    public $event;

    /** @var string */
    public $tillgateOrderId;

    /** @var int|null Minor units; null where what was told is no amount of the currency, or for a refund. */
    public $amountMinor;

    /** @var string */
    public $currency;

    /** @var string|null */
    public $reference;

    /** @var string|null Of the payment, also for a refund. */
    public $trxId;

    /** @var RemoteRefund|null Only with `refund.*`. */
    public $refund;

    private function __construct(string $event, string $tillgateOrderId)
    {
        $this->event = $event;
        $this->tillgateOrderId = $tillgateOrderId;
        $this->currency = '';
    }

    /**
     * @param array<string, mixed> $event a genuine event's decoded body
     * @return self|null null for an event that is none of an order: a test, a payout
     * @throws Problem UNREADABLE
     */
    public static function ofEvent(array $event, Money $money): ?self
    {
        $name = is_string($event['event'] ?? null) ? $event['event'] : '';
        $isOrder = in_array($name, self::ORDER_EVENTS, true);
        if (!$isOrder && !in_array($name, self::REFUND_EVENTS, true)) {
            if (preg_match(self::FAMILIES, $name) === 1) {
                throw new Problem(Problem::UNREADABLE, "The event $name is unknown, probably from a newer version of Tillgate.");
            }
            return null;
        }
        $data = is_array($event['data'] ?? null) ? $event['data'] : [];
        $eventId = is_string($event['id'] ?? null) ? $event['id'] : '';
        $tillgateOrderId = self::text($data, 'order_id');
        if ($tillgateOrderId === null || preg_match('/^evt_[0-9A-Za-z]{20,}$/D', $eventId) !== 1) {
            throw new Problem(Problem::UNREADABLE, "The event $name names no order, or has no id.");
        }
        if ($isOrder && !self::isOrder($data)) {
            throw new Problem(Problem::UNREADABLE, "The event $name lacks a field.");
        }
        $fact = new self($name, $tillgateOrderId);
        if ($isOrder) {
            return $fact->withOrder($data, 'amount', $money);
        }
        return $fact->withRefund(RemoteRefund::of($data, $money));
    }

    /**
     * The facts in the API's state of an order, in the order in which they happened; none while it is PENDING.
     *
     * @param array<string, mixed> $order the API's answer
     * @return self[]
     */
    public static function ofOrder(array $order, Money $money): array
    {
        $events = [
            'EXPIRED' => ['pos.order.expired'],
            'CANCELLED' => ['pos.order.cancelled'],
            'PAID' => ['pos.order.paid'],
            'REFUND_PENDING' => ['pos.order.paid'],
            'REFUNDED' => ['pos.order.paid', 'pos.order.refunded'],
        ];
        return array_map(
            static function (string $event) use ($order, $money): self {
                return (new self($event, (string) $order['order_id']))->withOrder($order, 'raw_amount', $money);
            },
            $events[$order['status']] ?? []
        );
    }

    /** The same with what Tillgate itself says of the refund. */
    public function withRefund(RemoteRefund $refund): self
    {
        $fact = clone $this;
        $fact->refund = $refund;
        $fact->trxId = $refund->transactionId;
        $fact->currency = $refund->currency;
        return $fact;
    }

    /** A payment that the shop knows to be paid, as it was reported. */
    public static function paid(Attempt $attempt): self
    {
        $fact = new self('pos.order.paid', (string) $attempt->tillgateOrderId);
        $fact->amountMinor = $attempt->amountMinor;
        $fact->currency = $attempt->currency;
        $fact->reference = $attempt->request['reference'] ?? null;
        $fact->trxId = $attempt->trxId;
        return $fact;
    }

    /** The order itself changed in the shop: nothing was told of the payment. */
    public static function storeChanged(string $tillgateOrderId): self
    {
        return new self('store.changed', $tillgateOrderId);
    }

    /** @param array<string, mixed> $data */
    private function withOrder(array $data, string $amountField, Money $money): self
    {
        $this->currency = self::text($data, 'currency') ?? '';
        $this->amountMinor = $money->tryWire($data[$amountField] ?? null, $this->currency);
        $this->reference = self::text($data, 'reference');
        $this->trxId = self::text($data, 'trx_id');
        return $this;
    }

    /**
     * Whether it has what every order event has. Fields of a later version are passed over.
     *
     * @param array<string, mixed> $data
     */
    private static function isOrder(array $data): bool
    {
        $isNumber = static function ($value): bool {
            return is_int($value) || $value instanceof WireNumber;
        };
        $isTextOrNull = static function (string $name) use ($data): bool {
            return array_key_exists($name, $data) && ($data[$name] === null || is_string($data[$name]));
        };
        return $isNumber($data['amount'] ?? null)
            && is_string($data['currency'] ?? null)
            && in_array($data['status'] ?? null, self::STATUSES, true)
            && $isTextOrNull('reference')
            && $isTextOrNull('trx_id')
            && $isNumber($data['refunded_amount'] ?? null)
            && is_int($data['version'] ?? null) && $data['version'] > 0;
    }

    /** @param array<string, mixed> $data */
    private static function text(array $data, string $name): ?string
    {
        return is_string($data[$name] ?? null) && $data[$name] !== '' ? $data[$name] : null;
    }
}
