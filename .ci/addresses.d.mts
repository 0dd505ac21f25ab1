export function addAddresses(file: string): void;
