<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Api\Json;
use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Payments\Description;
use Tillgate\WooCommerce\Payments\PaymentEvent;
use Tillgate\WooCommerce\Payments\ReceiveWebhook;
use Tillgate\WooCommerce\Payments\RefundKey;
use Tillgate\WooCommerce\Payments\RefundShares;
use Tillgate\WooCommerce\Payments\SignerTrust;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Connection;
use Tillgate\WooCommerce\Shop\Credential;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\WebhookSignature;

/** Test vectors shared with the connector. */
final class VectorsTest extends TestCase
{
    /** @dataProvider deliveries */
    public function testVerifiesSignatures(array $case): void
    {
        $headers = array_change_key_case($case['headers'], CASE_LOWER);
        $body = isset($case['body_base64']) ? base64_decode($case['body_base64']) : $case['body'];
        self::assertSame($case['expect'], WebhookSignature::verify(
            $headers['webhook-id'] ?? '',
            $headers['webhook-timestamp'] ?? '',
            $headers['webhook-signature'] ?? '',
            $body,
            $case['secrets'],
            $case['now']
        ));
    }

    public function deliveries(): array
    {
        return self::named(self::read('signatures')['standard']);
    }

    public function testClassifiesUrls(): void
    {
        foreach (self::read('addresses')['cases'] as $case) {
            $address = $case['address'];
            self::assertSame($case['secure'], Connection::isSecure($address), $address);
            self::assertSame($case['live'], Connection::allowsLiveMode($address), $address);
        }
    }

    /** @dataProvider bodies */
    public function testParsesWebhookEvents(array $case): void
    {
        $services = World::reset();
        $expected = $case['expect'];
        if ($expected['kind'] === 'unreadable') {
            try {
                (new ReceiveWebhook($services))->run($case['body'], Credentials::all());
                self::fail('Expected an exception.');
            } catch (PluginError $error) {
                self::assertTrue($error->is(PluginError::UNREADABLE), $error->getMessage());
            }
            return;
        }
        $event = PaymentEvent::fromWebhook(Json::decode($case['body']), $services->money);
        if ($expected['kind'] === 'ignored') {
            self::assertNull($event);
            return;
        }
        self::assertNotNull($event);
        self::assertSame($expected['event'], $event->type);
        self::assertSame($expected['tillgate_order'], $event->tillgateOrderId);
        self::assertSame($expected['trx_id'], $event->trxId);
        $amountMinor = $event->refund === null ? $event->amountMinor : $event->refund->amountMinor;
        self::assertSame($expected['amount_minor'], $amountMinor === null ? null : (string) $amountMinor);
        self::assertSame($expected['currency'], $event->currency);
        if ($expected['kind'] === 'order') {
            self::assertSame($expected['reference'], $event->reference);
            return;
        }
        self::assertSame($expected['refund_id'], $event->refund->id);
        self::assertSame($expected['refund_status'], $event->refund->status);
        self::assertSame($expected['reason'], $event->refund->reason);
        self::assertSame($expected['reference'], $event->refund->reference);
    }

    public function bodies(): array
    {
        return self::named(self::read('bodies')['cases']);
    }

    public function testDecidesEveryRuleContext(): void
    {
        $rules = new Rules(World::rulesFolder() . '/transitions.json');
        $mappings = self::read('mappings');
        $seen = 0;
        foreach (Rules::allContexts() as $context) {
            $rows = array_filter($mappings['cases'], static function (array $row) use ($context): bool {
                foreach ($row['when'] as $name => $values) {
                    if (!in_array($context[$name], $values, true)) {
                        return false;
                    }
                }
                return true;
            });
            self::assertCount(1, $rows, (string) json_encode($context));
            $row = current($rows);
            $decision = $rules->decide($context);
            $seen += 1;
            $fields = ['status' => $row['when']['status'][0] ?? $context['status']] + $mappings['fields'];
            $template = $decision->note ?? $decision->reason;
            self::assertSame(
                [$row['action'], $row['cancel_current'], $row['text']],
                [$decision->action, $decision->cancelCurrent, $template === null ? null : Rules::fillPlaceholders($template, $fields)],
                (string) json_encode($context)
            );
        }
        self::assertGreaterThan(1000, $seen);
    }

    public function testRendersDifferences(): void
    {
        $rules = new Rules(World::rulesFolder() . '/transitions.json');
        $mappings = self::read('mappings');
        self::assertNotSame([], $mappings['differences']);
        foreach ($mappings['differences'] as $name => $text) {
            self::assertSame($text, Rules::fillPlaceholders($rules->difference($name), $mappings['fields']));
        }
    }

    public function testRendersNotesAndPhrases(): void
    {
        $rules = new Rules(World::rulesFolder() . '/transitions.json');
        $mappings = self::read('mappings');
        self::assertNotSame([], $mappings['phrases']);
        $fields = ['status' => 'processing'] + $mappings['fields'];
        foreach ($mappings['notes'] as $name => $text) {
            self::assertSame($text, Rules::fillPlaceholders($rules->note($name), $fields));
        }
        foreach ($mappings['phrases'] as $name => $text) {
            self::assertSame($text, Rules::fillPlaceholders($rules->phrase($name), $fields));
        }
    }

    /** @dataProvider differences */
    public function testDescribesPaymentsThatDoNotMatchTheirOrder(array $case): void
    {
        $services = World::reset();
        $order = World::order((int) $case['store']['number'], $case['store']['total'], $case['store']['currency']);
        $attempt = new Attempt();
        $attempt->orderId = $order->get_id();
        $attempt->isCurrent = true;
        $attempt->tillgateOrderId = 'POS-20261121-ABC234';
        $attempt->amountMinor = (int) $case['requested']['amount_minor'];
        $attempt->currency = $case['requested']['currency'];
        $attempt->cancelReason = null;
        $attempt->request = ['reference' => $case['requested']['reference']];
        $event = PaymentEvent::fromWebhook(Json::decode((string) json_encode([
            'id' => 'evt_01234567890123456789',
            'event' => 'pos.order.paid',
            'data' => [
                'order_id' => 'POS-20261121-ABC234',
                'status' => 'PAID',
                'trx_id' => 'TRX-000000123456',
                'paid_at' => null,
                'refunded_amount' => 0,
                'version' => 2,
            ] + $case['reported'],
        ])), $services->money);
        self::assertNotNull($event);
        self::assertSame('different', $services->ruleContext->forOrder($event, $attempt, $order)['amount']);
        $fields = $services->ruleContext->noteFields($event, $attempt, $order);
        $difference = $services->ruleContext->differenceName($event, $attempt, $order);
        self::assertSame($case['difference'], $difference);
        self::assertSame($case['amount'], $fields['amount']);
        self::assertSame($case['text'], Rules::fillPlaceholders($services->rules->difference($difference), $fields));
    }

    public function differences(): array
    {
        return self::named(self::read('differences')['cases']);
    }

    /** @dataProvider acceptedTotals */
    public function testParsesTotals(array $case): void
    {
        $money = Money::load(World::rulesFolder() . '/currencies.json');
        self::assertSame($case['digits'], $money->digits($case['currency']));
        $amountMinor = $money->readTotal($case['total'], $case['currency']);
        self::assertSame($case['minor'], (string) $amountMinor);
        self::assertSame($case['text'], $money->toDecimal($amountMinor, $case['currency']));
    }

    public function acceptedTotals(): array
    {
        return self::named(self::read('amounts')['accepted']);
    }

    /** @dataProvider rejectedTotals */
    public function testRejectsInvalidTotalsWithACustomerMessage(array $case): void
    {
        $money = Money::load(World::rulesFolder() . '/currencies.json');
        self::assertNull($money->parseTotal($case['total'], $case['currency']));
        try {
            $money->readTotal($case['total'], $case['currency']);
            self::fail('Expected an exception.');
        } catch (PluginError $error) {
            self::assertTrue($error->is(PluginError::NOT_PAYABLE));
            $namesDecimals = strpos((string) $error->customerMessage(), 'decimals') !== false;
            self::assertSame($case['refused'] === 'too_many_decimals', $namesDecimals, (string) $error->customerMessage());
        }
    }

    public function rejectedTotals(): array
    {
        return self::named(self::read('amounts')['refused']);
    }

    /** @dataProvider secrets */
    public function testTrustsSecretsOnlyForTheirOwnPayments(array $case): void
    {
        $signers = [];
        foreach (array_diff($case['signed_by'], $case['without'] ?? []) as $name) {
            $known = self::read('secrets')['known'][$name];
            $retiredAt = $known['retired'] ? time() : null;
            $signers[] = new Credential($name, $known['mode'], $known['client_id'], $known['secret'], World::ADDRESS, $retiredAt);
        }
        self::assertSame(
            $case['expect'],
            SignerTrust::evaluate($signers, $case['attempt']['mode'] ?? null, $case['attempt']['client_id'] ?? null)
        );
    }

    public function secrets(): array
    {
        return self::named(self::read('secrets')['cases']);
    }

    /** @dataProvider refundKeys */
    public function testGeneratesRefundKeys(array $case): void
    {
        $key = RefundKey::generate(
            $case['site'],
            $case['order'],
            $case['transaction'],
            (int) $case['refunded_before_minor'],
            (int) $case['amount_minor'],
            $case['failed_before']
        );
        self::assertSame($case['key'], $key);
        self::assertSame($case['reference'], RefundKey::reference($case['number'], $key));
    }

    public function refundKeys(): array
    {
        return self::named(self::read('refund-keys')['cases']);
    }

    public function testAllocatesRefunds(): void
    {
        foreach (self::read('refund-shares')['cases'] as $case) {
            $shares = RefundShares::allocate(array_map('intval', $case['parts']), (int) $case['before'], (int) $case['amount']);
            self::assertSame($case['shares'], array_map('strval', $shares), $case['name']);
        }
    }

    public function testNormalizesCustomStatuses(): void
    {
        foreach (self::read('statuses')['cases'] as $case) {
            self::assertSame($case['rule'], Rules::normalizeStatus($case['status'], $case['payable'], $case['paid']), $case['status']);
        }
    }

    /** @dataProvider descriptions */
    public function testDescribesPurchases(array $case): void
    {
        self::assertSame($case['expect'], Description::fromItems($case['items'], $case['number']));
    }

    public function descriptions(): array
    {
        return self::named(self::read('descriptions')['cases']);
    }

    public function testTruncatesLongDescriptions(): void
    {
        foreach (self::read('descriptions')['lengths'] as $case) {
            $items = [['name' => str_repeat($case['letter'], $case['letters']), 'quantity' => 1]];
            self::assertSame(
                '1 × ' . str_repeat($case['letter'], $case['expect_letters']) . ($case['cut'] ? '…' : ''),
                Description::fromItems($items, '109')
            );
        }
    }

    private static function read(string $name): array
    {
        $file = dirname(__DIR__, 2) . "/vectors/$name.json";
        return json_decode((string) file_get_contents($file), true, 512, JSON_THROW_ON_ERROR);
    }

    private static function named(array $cases): array
    {
        $named = [];
        foreach ($cases as $number => $case) {
            $named[($case['name'] ?? implode(' ', [$case['total'] ?? $case['site'], $case['currency'] ?? ''])) . " #$number"] = [$case];
        }
        return $named;
    }
}
