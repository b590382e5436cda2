<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Admin\ReconciliationReport;
use Tillgate\WooCommerce\Api\Json;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\CompareOrder;
use Tillgate\WooCommerce\Payments\PaymentSnapshot;
use Tillgate\WooCommerce\Payments\Reconcile;
use Tillgate\WooCommerce\Payments\RepairDifference;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Rules\ComparisonRules;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Alerts;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\RefundHooks;

/** Reconciliation: finds differences between shop and Tillgate and repairs those that are safe to repair. */
final class ReconciliationTest extends TestCase
{
    /** @var Services */
    private $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            return (new RequestRefund($this->services))->run($orderId, $amount, $reason);
        };
        (new RefundHooks($this->services))->addHooks();
        World::order(7);
    }

    public function testIgnoresPaymentsOfPreviouslyConnectedAccounts(): void
    {
        $attempt = (new StartPayment($this->services))->run(7);
        unset(World::$tillgate->orders[$attempt->tillgateOrderId]);
        $books = new Reconcile($this->services);
        self::assertSame(['missing_at_tillgate'], array_column($books->comparePayment($attempt), 'kind'));
        World::$tillgate->clients['tg_test_2'] = 'tgs_test_of-another-account';
        Credentials::save('sandbox', 'tg_test_2', World::$tillgate->clients['tg_test_2'], World::ADDRESS);
        World::$options['woocommerce_tillgate_settings']['client_id'] = 'tg_test_2';
        self::assertSame(['missing_at_tillgate'], array_column($books->comparePayment($attempt), 'kind'), 'Queried with the payment’s own client ID.');
        Credentials::revoke(Credentials::retired()[0]->id);
        self::assertSame([], $books->comparePayment($attempt));
        self::assertSame(0, $this->services->differences->count(), 'The earlier difference was kept.');
    }

    public function testClearsResolvedDifferencesOfOldPayments(): void
    {
        $attempt = (new StartPayment($this->services))->run(7);
        World::order(8);
        $matching = (new StartPayment($this->services))->run(8);
        $books = new Reconcile($this->services);
        $remote = World::$tillgate->orders[$attempt->tillgateOrderId];
        unset(World::$tillgate->orders[$attempt->tillgateOrderId]);
        $books->comparePayment($attempt);
        World::$now += 91 * 86400;
        World::$tillgate->orders[$attempt->tillgateOrderId] = $remote;
        $callsBefore = count(World::$tillgate->calls);
        $books->start();
        $books->advance();
        self::assertSame(0, $this->services->differences->count(), 'The resolved difference was kept.');
        $calls = array_slice(World::$tillgate->calls, $callsBefore);
        self::assertContains("GET /orders/{$attempt->tillgateOrderId}", $calls);
        self::assertNotContains("GET /orders/{$matching->tillgateOrderId}", $calls, 'Matching payments are not checked again.');
    }

    /** @dataProvider cases */
    public function testFindsTheDifferencesOfTheTestVectors(array $case, array $defaults): void
    {
        $shop = $case['shop'] === null ? null : $case['shop'] + $defaults['shop'];
        $payment = $case['payment'] + $defaults['payment'];
        $tillgate = $case['tillgate'] === null ? null : $case['tillgate'] + $defaults['tillgate'];
        $snapshot = new PaymentSnapshot($shop === null ? null : [
            'status' => $shop['status'],
            'isPayable' => $shop['payable'],
            'isPaid' => $shop['paid'],
            'total' => $shop['total'],
            'currency' => $shop['currency'],
            'isTillgate' => $shop['is_tillgate'],
            'transactionId' => $shop['transaction_id'],
            'isFresh' => $shop['fresh'],
            'records' => array_map(static function (array $record): array {
                return ['id' => $record['id'], 'amount' => $record['amount'], 'refundId' => $record['of'], 'sent' => $record['sent']];
            }, $shop['records']),
        ], [
            'tillgateOrderId' => $payment['tillgate_order'],
            'amountMinor' => (int) $payment['amount_minor'],
            'currency' => $payment['currency'],
            'isCurrent' => $payment['is_current'],
            'isApplied' => $payment['applied'],
            'siblings' => $payment['siblings'],
        ], $tillgate === null ? null : [
            'status' => $tillgate['status'],
            'raw_amount' => $tillgate['amount'],
            'currency' => $tillgate['currency'],
            'trx_id' => $tillgate['trx_id'],
            'refunded_amount' => $tillgate['refunded_amount'],
            'isFresh' => $tillgate['fresh'],
            'refunds' => array_map(static function (array $refund): array {
                return ['refund_id' => $refund['refund_id'], 'raw_amount' => $refund['amount'], 'isApplied' => $refund['applied'], 'isFresh' => $refund['fresh']];
            }, $tillgate['refunds']),
        ]);
        $found = array_map(function (array $difference): array {
            return [
                'subject' => $difference['subject'],
                'id' => $difference['id'],
                'field' => $difference['field'],
                'difference' => $difference['kind'],
                'repair' => $difference['repair'],
                'text' => $this->services->comparisonRules->text($difference['kind'], $difference['fields']),
            ];
        }, (new CompareOrder($this->services->comparisonRules, $this->services->money))->run($snapshot));
        self::assertSame($case['expect'], $found);
    }

    public function cases(): array
    {
        $file = Json::decode((string) file_get_contents(dirname(__DIR__, 2) . '/vectors/comparisons.json'));
        $cases = [];
        foreach ($file['cases'] as $case) {
            $cases[$case['name']] = [$case, $file['usual']];
        }
        return $cases;
    }

    /** @dataProvider invalidFiles */
    public function testRejectsInvalidComparisonRules(callable $change): void
    {
        $file = json_decode((string) file_get_contents(World::rulesFolder() . '/comparison.json'), true);
        $change($file);
        $path = tempnam(sys_get_temp_dir(), 'rules');
        file_put_contents($path, json_encode($file));
        try {
            $this->expectException(\UnexpectedValueException::class);
            ComparisonRules::load($path);
        } finally {
            unlink($path);
        }
    }

    public function invalidFiles(): array
    {
        return [
            'another version' => [function (array &$file): void {
                $file['version'] = 2;
            }],
            'an additional value' => [function (array &$file): void {
                $file['subjects']['order']['conditions']['age']['values'][] = 'old';
            }],
            'an additional field' => [function (array &$file): void {
                $file['subjects']['record']['fields']['note'] = [];
            }],
            'a difference without a text' => [function (array &$file): void {
                $file['subjects']['record']['fields']['refund'][1]['difference'] = 'something_else';
            }],
            'an unknown repair' => [function (array &$file): void {
                $file['subjects']['order']['fields']['state'][1]['repair'] = 'pay_again';
            }],
            'no fallback rule' => [function (array &$file): void {
                array_pop($file['subjects']['refund']['fields']['refund']);
            }],
        ];
    }

    public function testFindsNoDifferencesIfShopAndTillgateMatch(): void
    {
        $this->pay($this->start());
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true]);
        self::assertSame([], $this->compare());
        self::assertSame(['compared' => 1, 'failed' => 0], array_intersect_key((array) Reconcile::lastRun(), ['compared' => 0, 'failed' => 0]));
        self::assertTrue((new ReconciliationReport($this->services))->finding()['ok']);
    }

    public function testRepairsAPaidOrderThatIsUnpaidInTheShop(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        // Simulates an order restored from a backup, but not the plugin's tables.
        World::$orders[7]->status = 'pending';
        World::$orders[7]->transaction = '';
        self::assertSame(['paid_shop_unpaid' => 'apply_order'], $this->compare());
        self::assertStringContainsString('data-tillgate-repair="apply_order"', $this->renderReport());
        self::assertTrue($this->repair($attempt, 'order', $attempt->tillgateOrderId, 'state'));
        self::assertSame('processing', World::$orders[7]->status);
        self::assertSame(0, $this->services->differences->count());
        self::assertTrue($this->repair($attempt, 'order', $attempt->tillgateOrderId, 'state'), 'The second repair was not a no-op.');
        self::assertSame([], World::$tillgate->refunds, 'A repair moved money.');
    }

    public function testCancelsAnOpenPaymentThatTheOrderNoLongerNeeds(): void
    {
        $attempt = $this->start();
        World::$orders[7]->status = 'cancelled';
        World::$now += 600;
        World::$tillgate->orders[$attempt->tillgateOrderId]['expires_at'] = gmdate('Y-m-d\TH:i:s+00:00', time() + 3000);
        self::assertSame(['open_not_wanted' => 'cancel_open'], $this->compare());
        self::assertTrue($this->repair($attempt, 'order', $attempt->tillgateOrderId, 'state'));
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    public function testRecreatesADeletedRefundRecord(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true]);
        World::$orders[7]->refunds = [];
        self::assertSame(['refund_missing_in_shop' => 'record_refund'], $this->compare());
        self::assertTrue($this->repair($attempt, 'refund', 'RF-20261121-000001', 'refund'));
        self::assertSame(['5.00'], array_column(World::$orders[7]->refunds, 'amount'));
        self::assertCount(1, World::$tillgate->refunds);
    }

    public function testShowsAdviceInsteadOfAButtonForManualDecisions(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        World::$orders[7]->total = '50.00';
        self::assertSame(['amount_differs' => null], $this->compare());
        self::assertStringContainsString('Refund the excess', $this->renderReport());
        self::assertStringNotContainsString('data-tillgate-repair', $this->renderReport());
        self::assertFalse($this->repair($attempt, 'order', $attempt->tillgateOrderId, 'amount'));
        self::assertSame('50.00', World::$orders[7]->total);
    }

    public function testContinuesAfterAFailedComparison(): void
    {
        World::order(8);
        $first = $this->start();
        $second = $this->start(8);
        $this->pay($first);
        $this->pay($second, 8);
        World::$orders[8]->total = '50.00';
        World::$tillgate->failures = ['before', 'before'];
        self::assertSame(['amount_differs' => null], $this->compare());
        self::assertSame(['compared' => 1, 'failed' => 1], array_intersect_key((array) Reconcile::lastRun(), ['compared' => 0, 'failed' => 0]));
        self::assertStringContainsString('1 couldn’t be compared', (new ReconciliationReport($this->services))->finding()['text']);
    }

    public function testIgnoresRefundDifferencesMarkedAsCorrect(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        wc_create_refund(['order_id' => 7, 'amount' => '1.00']);
        self::assertSame(['refund_only_in_shop' => null], $this->compare());
        $this->services->comparisons->acceptDifference($attempt->id);
        self::assertSame([], $this->compare());
    }

    /** @dataProvider runs */
    public function testRunsNightlyCatchesUpOnMissedNightsAndRetriesAfterFailures(?int $hoursAgo, bool $isUnderWay, int $hour, bool $isDue, int $failed = 0): void
    {
        $now = 1800000000;
        $last = $hoursAgo === null ? null : ['begun_at' => $now - $hoursAgo * 3600, 'failed' => $failed, 'ended_at' => $isUnderWay ? null : $now];
        self::assertSame($isDue, Reconcile::isDue($last, $now, $hour));
    }

    public function runs(): array
    {
        return [
            'first run' => [null, false, 12, true],
            'daytime after a nightly run' => [20, false, 12, false],
            'night, too early' => [17, false, 3, false],
            'night' => [18, false, 3, true],
            'daytime after a missed night' => [30, false, 12, true],
            'in progress' => [40, true, 3, false],
            'retry after a failure' => [1, false, 12, true, 1],
            'too early for a retry' => [0, false, 12, false, 1],
        ];
    }

    public function testReportsDifferencesOnTheStatusPageAndInAlerts(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        World::$orders[7]->total = '50.00';
        $this->compare();
        $bad = array_filter((new HealthFindings($this->services))->all(), static function (array $finding): bool {
            return $finding['name'] === 'books' && !$finding['ok'] && strpos($finding['text'], '1 to review') === 0;
        });
        self::assertCount(1, $bad);
        (new Alerts($this->services->settings))->update($bad);
        self::assertStringContainsString('1 to review', Alerts::active()['books']['text']);
    }

    /** @return array<string, string|null> the repairs, by difference */
    private function compare(): array
    {
        World::$options[Reconcile::OPTION] = null;
        (new Reconcile($this->services))->advance();
        $found = array_merge([], ...array_column($this->services->differences->listLatest(10), 'found'));
        return array_column($found, 'repair', 'kind');
    }

    private function repair(Attempt $attempt, string $subject, string $id, string $field): bool
    {
        $now = $this->services->attempts->byId($attempt->id);
        return (new RepairDifference($this->services))->run($now, $subject, $id, $field);
    }

    private function renderReport(): string
    {
        ob_start();
        (new ReconciliationReport($this->services))->showAll();
        return (string) ob_get_clean();
    }

    private function start(int $orderId = 7): Attempt
    {
        return (new StartPayment($this->services))->run($orderId);
    }

    private function pay(Attempt $attempt, int $orderId = 7): void
    {
        World::$tillgate->pay((string) $attempt->tillgateOrderId);
        (new CheckAttempt($this->services))->run($attempt);
        World::$tillgate->orders[$attempt->tillgateOrderId]['paid_at'] = '2026-11-21T00:00:00+00:00';
        World::$orders[$orderId]->notes = [];
    }
}
