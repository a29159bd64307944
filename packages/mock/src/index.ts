export { createTopupMock, type TopupMock } from './create-topup-mock.ts';
export { createMockService, type MockOptions, type MockService } from './mock-service.ts';
