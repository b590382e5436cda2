<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\ConnectShop;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Accounts;
use Tillgate\WooCommerce\Shop\Connection;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\SettingsStorage;

/** Connects the shop to Tillgate through the console. */
final class ConnectionTest extends TestCase
{
    private const OWNER = 7;
    private const RETURN_URL = 'https://shop.example/wp-admin/admin-post.php?action=tillgate_connected';
    private const KEYS = [
        'merchant_name' => 'Kiln & Clover',
        'console_url' => 'https://console.example/m/m-1',
        'sandbox' => ['client_id' => 'tg_test_new', 'client_secret' => 'tgs_test_new-secret'],
        'live' => ['client_id' => 'tg_live_new', 'client_secret' => 'tgs_live_new-secret'],
    ];

    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::$options[Settings::OPTION] = ['enabled' => 'no', 'title' => 'Wallet'];
        World::$options[Credentials::OPTION] = [];
    }

    public function testSendsNoSecretsInTheRedirectToTillgate(): void
    {
        $query = $this->begin();
        self::assertSame('woocommerce', $query['platform']);
        self::assertSame('Kiln & Clover', $query['shop_name']);
        self::assertSame('https://shop.example', $query['shop_url']);
        self::assertSame(self::RETURN_URL, $query['return_url']);
        self::assertSame('S256', $query['code_challenge_method']);
        self::assertMatchesRegularExpression('/^[A-Za-z0-9_-]{43}$/', $query['code_challenge']);
        self::assertMatchesRegularExpression('/^[A-Za-z0-9_-]{43}$/', $query['state']);
        $stored = get_transient('tillgate_connecting_' . self::OWNER);
        self::assertNotContains($stored['verifier'], $query, 'The verifier was sent to Tillgate.');
    }

    public function testStoresTheKeysOfBothModesAndEnablesTheGateway(): void
    {
        $query = $this->begin();
        self::assertSame(Connection::CONNECTED, $this->finish(['state' => $query['state'], 'code' => 'the code']));
        $settings = $this->services->settings;
        self::assertTrue($settings->isEnabled());
        self::assertSame('sandbox', $settings->mode());
        self::assertSame('Kiln & Clover', $settings->accountName());
        self::assertSame('tg_test_new', $settings->clientId());
        self::assertNull($settings->setupError());
        self::assertSame('Wallet', World::$options[Settings::OPTION]['title'], 'Another setting was changed.');
        self::assertSame('tgs_live_new-secret', Credentials::currentSecret('live', 'tg_live_new', World::ADDRESS));
        self::assertStringNotContainsString('new-secret', serialize(World::$options));
        // Switching the mode uses the stored keys.
        $live = (new SettingsStorage())->extractSecret(['mode' => 'live'] + World::$options[Settings::OPTION], World::$options[Settings::OPTION]);
        self::assertSame('tg_live_new', $live['client_id']);
        self::assertSame('tgs_test_new-secret', Credentials::currentSecret('sandbox', 'tg_test_new', World::ADDRESS));
    }

    public function testLinksToTheConsoleOfThePaymentsAccount(): void
    {
        $query = $this->begin();
        $this->finish(['state' => $query['state'], 'code' => 'the code']);
        self::assertSame(
            'https://console.example/m/m-1/live/orders/POS-1',
            Accounts::consoleUrl('tg_live_new', 'live', 'orders/POS-1')
        );
        self::assertNull(Accounts::consoleUrl('tg_live_pasted', 'live', 'orders/POS-1'));
        World::$options[Settings::OPTION]['client_id'] = 'tg_test_pasted';
        self::assertSame('', $this->services->settings->accountName(), 'The account of pasted keys is unknown.');
        $query = $this->begin(['console_url' => 'javascript:alert(1)'] + self::KEYS);
        $this->finish(['state' => $query['state'], 'code' => 'the code']);
        self::assertNull(Accounts::consoleUrl('tg_live_new', 'live', 'orders/POS-1'), 'An invalid console URL was used.');
    }

    public function testRejectsAForgedReturnWithoutInvalidatingTheGenuineOne(): void
    {
        $query = $this->begin();
        foreach ([['code' => 'the code'], ['state' => '', 'code' => 'the code'], ['state' => str_repeat('x', 43), 'code' => 'the code']] as $forged) {
            self::assertSame(Connection::INVALID_STATE, $this->finish($forged));
        }
        self::assertSame(Connection::INVALID_STATE, $this->finish(['state' => $query['state'], 'code' => 'the code'], 8), 'Another user returned.');
        self::assertSame([], Credentials::all());
        self::assertSame(Connection::CONNECTED, $this->finish(['state' => $query['state'], 'code' => 'the code']));
    }

    public function testRejectsASecondReturnAndAReturnAfterThirtyMinutes(): void
    {
        $query = $this->begin();
        self::assertSame(Connection::REJECTED, $this->finish(['state' => $query['state'], 'code' => 'another code']));
        self::assertSame(Connection::INVALID_STATE, $this->finish(['state' => $query['state'], 'code' => 'the code']), 'The return was accepted twice.');
        $query = $this->begin();
        self::assertEqualsWithDelta(time() + 1800, World::$options['transient tillgate_connecting_' . self::OWNER]['ends'], 5);
        World::$options['transient tillgate_connecting_' . self::OWNER]['ends'] = time();
        self::assertSame(Connection::INVALID_STATE, $this->finish(['state' => $query['state'], 'code' => 'the code']));
        self::assertFalse($this->services->settings->isEnabled());
    }

    public function testSaysThatKeysMayHaveBeenIssuedIfTheResponseIsLostAndConnectsTheNextTime(): void
    {
        $query = $this->begin();
        World::$tillgate->failures = ['after'];
        $_GET['tillgate_connection'] = $this->finish(['state' => $query['state'], 'code' => 'the code']);
        ob_start();
        (new ConnectShop($this->services))->showResult();
        self::assertStringContainsString('we don’t know whether it issued API keys', (string) ob_get_clean());
        self::assertFalse($this->services->settings->isEnabled());
        self::assertSame(Connection::CONNECTED, $this->finish(['state' => $this->begin()['state'], 'code' => 'the code']));
    }

    public function testDoesNotConnectIfTheMerchantDeclines(): void
    {
        $query = $this->begin();
        self::assertSame(Connection::DECLINED, $this->finish(['state' => $query['state'], 'error' => 'access_denied']));
        self::assertSame([], Credentials::all());
    }

    public function testSwitchesToSandboxModeIfThereAreNoLiveKeys(): void
    {
        World::$options[Settings::OPTION]['mode'] = 'live';
        $query = $this->begin(['live' => null] + self::KEYS);
        self::assertSame(Connection::CONNECTED, $this->finish(['state' => $query['state'], 'code' => 'the code']));
        self::assertSame('sandbox', $this->services->settings->mode());
    }

    public function testKeepsKeysForOpenPaymentsAfterDisconnecting(): void
    {
        $query = $this->begin();
        $this->finish(['state' => $query['state'], 'code' => 'the code']);
        (new Connection($this->services))->disconnect();
        self::assertFalse($this->services->settings->isEnabled());
        self::assertSame('', $this->services->settings->clientId());
        self::assertNull(Credentials::currentSecret('live', 'tg_live_new', World::ADDRESS));
        self::assertSame(['tgs_test_new-secret'], array_column(Credentials::forClient('sandbox', 'tg_test_new'), 'secret'));
    }

    public function testLetsAConnectedShopConnectToAnotherServerOnlyAfterDisconnecting(): void
    {
        $query = $this->begin();
        $this->finish(['state' => $query['state'], 'code' => 'the code']);
        $_GET['tillgate_connect'] = 'https://evil.example';
        $box = $this->renderBox();
        self::assertStringContainsString('Connected to api.example as Kiln & Clover.', html_entity_decode($box));
        self::assertStringContainsString('Reconnect to api.example', $box);
        self::assertStringNotContainsString(rawurlencode('https://evil.example'), $box, 'The button connects to the server of the link.');
        self::assertStringContainsString('wants to connect this shop to evil.example. The shop remains connected to api.example.', $box);
        self::assertStringContainsString('Disconnect from api.example', $box);
        self::assertFalse(Connection::canConnectTo('https://evil.example'));
        self::assertFalse(Connection::canConnectTo('https://api.example:8443'), 'Another port is another server.');
        self::assertTrue(Connection::canConnectTo('https://api.example/'));
        (new Connection($this->services))->disconnect();
        self::assertTrue(Connection::canConnectTo('https://evil.example'));
        self::assertStringContainsString('Connect to Tillgate at evil.example', $this->renderBox());
    }

    public function testIgnoresALinkWhoseUrlIsAnArray(): void
    {
        $_GET['tillgate_connect'] = ['https://evil.example'];
        self::assertStringContainsString('enter the Tillgate URL below', $this->renderBox());
    }

    public function testOffersToReconnectAConnectedShopOnlyToItsServerAfterTheUrlSettingChanges(): void
    {
        $query = $this->begin();
        $this->finish(['state' => $query['state'], 'code' => 'the code']);
        // Changing the URL without a secret retires the keys of this mode only.
        $moved = ['address' => 'https://other.example'] + World::$options[Settings::OPTION];
        World::$options[Settings::OPTION] = (new SettingsStorage())->extractSecret($moved, World::$options[Settings::OPTION]);
        $box = $this->renderBox();
        self::assertStringContainsString('Reconnect to api.example', $box);
        self::assertStringNotContainsString(rawurlencode('https://other.example'), $box, 'The button connects to a server that is not allowed.');
    }

    public function testBindsTheNonceToTheServerUrl(): void
    {
        $_GET['tillgate_connect'] = 'https://other.example';
        self::assertStringContainsString('_wpnonce=' . wp_create_nonce('tillgate_connect https://other.example'), $this->renderBox());
    }

    public function testRejectsAConnectionThatWasStartedBeforeTheShopConnectedToAnotherServer(): void
    {
        (new Connection($this->services))->start(self::OWNER, 'https://evil.example', self::RETURN_URL);
        $pending = get_transient('tillgate_connecting_' . self::OWNER);
        Credentials::save('sandbox', World::CLIENT, World::SECRET, World::ADDRESS);
        self::assertSame(Connection::OTHER_TILLGATE, $this->finish(['state' => $pending['state'], 'code' => 'the code']));
        self::assertSame([], World::$tillgate->otherHosts);
        self::assertSame(World::SECRET, Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
    }

    public function testDoesNotSendAStoredSecretToAChangedServerUrl(): void
    {
        $this->services = World::reset();
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        $moved = ['address' => 'https://evil.example'] + World::$options[Settings::OPTION];
        World::$options[Settings::OPTION] = (new SettingsStorage())->extractSecret($moved, World::$options[Settings::OPTION]);
        self::assertStringContainsString('never sent elsewhere', (string) $this->services->settings->setupError());
        (new CheckAttempt($this->services))->run($attempt);
        self::assertSame('GET /orders/' . $attempt->tillgateOrderId, end(World::$tillgate->calls), 'An open payment was not checked.');
        self::assertSame([], World::$tillgate->otherHosts);
        World::$options[Settings::OPTION] = (new SettingsStorage())->extractSecret(
            ['address' => World::ADDRESS] + World::$options[Settings::OPTION],
            World::$options[Settings::OPTION]
        );
        self::assertNull($this->services->settings->setupError(), 'The corrected URL was not accepted.');
    }

    public function testSendsNothingToAWrongServerAfterItsUrlIsCorrected(): void
    {
        $this->services = World::reset();
        World::order(7);
        foreach (['https://evil.example', World::ADDRESS] as $address) {
            $saved = ['address' => $address, 'client_secret' => World::SECRET] + World::$options[Settings::OPTION];
            World::$options[Settings::OPTION] = (new SettingsStorage())->extractSecret($saved, World::$options[Settings::OPTION]);
        }
        self::assertSame([World::ADDRESS, 'https://evil.example'], array_column(Credentials::forClient('sandbox', World::CLIENT), 'address'));
        (new StartPayment($this->services))->run(7);
        self::assertSame([], World::$tillgate->otherHosts);
    }

    /** @dataProvider addresses */
    public function testTreatsOnlyHttpsAndLoopbackUrlsAsSecure(string $address, bool $isSafe): void
    {
        self::assertSame($isSafe, Connection::isSecure($address));
    }

    public function addresses(): array
    {
        return [
            ['https://api.example', true],
            ['http://api.example', false],
            ['http://localhost:4000', true],
            ['http://127.0.0.1:4000', true],
            ['http://localhost.evil.example', false],
            ['https://[2001:db8::1]:8443', true],
            'a look-alike character' => ["https://\u{430}pi.example", false],
            ['https://evil.example"onclick', false],
            ['javascript:alert(1)', false],
            ['', false],
        ];
    }

    protected function tearDown(): void
    {
        unset($_GET['tillgate_connect'], $_GET['tillgate_connection']);
    }

    /** @return array<string, string> query parameters of the URL at which the merchant approves the connection */
    private function begin(array $keys = self::KEYS): array
    {
        $to = (new Connection($this->services))->start(self::OWNER, 'https://api.example', self::RETURN_URL);
        self::assertStringStartsWith('https://api.example/connect?', $to);
        parse_str((string) parse_url($to, PHP_URL_QUERY), $query);
        $query = array_map('rawurldecode', $query);
        World::$tillgate->agreed = ['challenge' => $query['code_challenge'], 'return_url' => $query['return_url'], 'keys' => $keys];
        return $query;
    }

    private function renderBox(): string
    {
        ob_start();
        ConnectShop::showBox($this->services->settings);
        return (string) ob_get_clean();
    }

    private function finish(array $query, int $user = self::OWNER): string
    {
        return (new Connection($this->services))->finish($user, $query, self::RETURN_URL);
    }
}
