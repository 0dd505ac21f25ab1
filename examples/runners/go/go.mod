module example.com/docdouble-example

go 1.18
