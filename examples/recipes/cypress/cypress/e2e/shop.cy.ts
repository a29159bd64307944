import { mock } from '../support/mock.ts';

it('shows the payment without waiting for it', () => {
  cy.visit('/');
  cy.get('button').click();
  cy.get('output').should('contain.text', 'is UNPAID');

  cy.get('output')
    .invoke('text')
    .then((text) => mock.orders.pay(text.split(' ')[0] ?? ''));

  cy.get('output').should('contain.text', 'is PAID');
});

it('shows an error message from the service', () => {
  mock.faults.add({ operation: 'createOrder', error: 'PAYMENT_FAILED', times: 1 });
  cy.visit('/');

  cy.get('button').click();

  cy.get('output').should('have.text', 'Gagal membuat transaksi pembayaran.');
});
