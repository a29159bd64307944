<?php

use OpenAPI\Client\Api\OrdersApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateOrderRequest;

require 'vendor/autoload.php';

$config = (new Configuration())->setHost(getenv('TOPUP_BASE_URL'))->setApiKey('X-API-KEY', getenv('TOPUP_API_KEY'));
$orders = new OrdersApi(null, $config);

$order = (new CreateOrderRequest())->setGame('mobile-legends')->setProductId((int) $argv[2])->setPaymentMethodId(12);
$order->setId($argv[1])->setServer('2012')->setWhatsapp('081234567890');
try {
    // The key is stored with the cart before the order is sent: the same key places one order, however often it is sent.
    $placed = $orders->createOrder($order, $argv[3]);
    $invoice = $orders->getInvoice($placed->getOrderId())->getOrder();
    echo "{$invoice->getOrderId()} {$invoice->getPaymentStatus()} {$invoice->getTotalPrice()}\n";
} catch (ApiException $error) {
    $body = $error->getResponseObject();
    $code = $error->getResponseHeaders()['X-Error-Code'][0] ?? 'without a code:';
    $message = $body?->getMessage() ?? 'The response is not JSON.';
    echo "{$error->getCode()} $code $message\n";
    foreach ($body['errors'] ?? [] as $field => $messages) {
        echo "  $field: $messages[0]\n";
    }
}
