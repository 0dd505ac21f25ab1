export function findNouns(file: string, text: string): string[];
